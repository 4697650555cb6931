import type { Check, CheckSubject } from '../check.js';
import { Skipped } from '../inputs.js';
import { runCancel, runExamples, runInterfaces, runQuestion, runStream } from '../probe/observe.js';
import type { Finding } from '../report.js';
import { isUsable, type Subject } from '../subject.js';
import { runFile } from './send-file.js';

const observations = [runExamples, runStream, runInterfaces, runQuestion, runCancel, runFile];

/** Makes all observations. Those that do not apply are left out. */
async function observeAll(subject: Subject): Promise<void> {
  for (const observe of observations) {
    await (observe as (subject: Subject) => Promise<unknown>)(subject).catch((error: unknown) => {
      if (!(error instanceof Skipped)) throw error;
    });
  }
}

interface NotedCheck {
  title: string;
  why: string;
  /** An observation without which the check does not apply. */
  needs?: (subject: Subject) => Promise<unknown>;
}

/** Creates a check of what the responses to all messages have in common: it reports what was noted under its id. */
export function noted(id: `${CheckSubject}.${string}`, { title, why, needs }: NotedCheck): Check {
  return {
    id,
    title,
    why,
    async run(subject) {
      const { reply } = await subject.first();
      await observeAll(subject);
      const findings = notedFindings(subject, id);
      if (findings.length > 0) return findings;
      if (!isUsable(reply)) throw new Skipped('The first message has no answer that can be used.');
      await needs?.(subject);
      return [];
    },
  };
}

/** Returns what was noted under an id; of equal findings, the first. */
function notedFindings(subject: Subject, id: string): Finding[] {
  const own = subject.notes.filter(({ check }) => check === id);
  const first = own.filter((note, index) => own.findIndex(({ found }) => found === note.found) === index);
  return first.map(({ check: _check, ...finding }) => finding);
}
