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

/** Says why a check, or an observation that it needs, does not apply. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** Names and texts with which to make an agent do what a check needs. Without them, the examples of its card are used. */
export interface TestTexts {
  /** A message that the agent answers. */
  message?: string;
  /** A message on which the agent works long enough to be canceled. */
  slow?: string;
  /** A message that the agent answers with a question, and the answer to it. */
  question?: string;
  answer?: string;
  /** A message that leads to a cart. */
  cart?: string;
}
