import type { Finding } from './report.js';
import type { Subject } from './subject.js';

/** The parts of an agent that are checked, as in the ids of checks and the headings of the documentation. */
export const SUBJECTS = [
  'card',
  'messages',
  'examples',
  'streaming',
  'cancel',
  'question',
  'files',
  'errors',
  'limits',
  'versions',
  'capabilities',
  'cart',
] as const;
export type CheckSubject = (typeof SUBJECTS)[number];

/** One check of an agent. */
export interface Check {
  id: `${CheckSubject}.${string}`;
  title: string;
  /** What goes wrong for callers if the check fails. */
  why: string;
  /** Returns what is wrong; nothing if the check passed. @throws {Skipped} if there is nothing to check */
  run(subject: Subject): Finding[] | Promise<Finding[]>;
}
