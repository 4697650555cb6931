import type { Session } from './session.js';
import { plainLine } from './terminal.js';

interface Problem {
  code: string;
  message: string;
}

interface Entry {
  number: number;
  identifier: string | null;
  name: string | null;
  url: string | null;
  problem: Problem | null;
}

/** The list as read by Parley. */
export interface ImportList {
  source: string | null;
  format: string;
  entries: Entry[];
  omitted: number;
}

/** Expected result of listing an agent. */
export interface Verdict {
  url: string;
  verdict: 'ready' | 'confirm' | 'listed' | 'refused';
  agent: { name: string; slug: string | null } | null;
  otherOrigin: { found: string; expected: string } | null;
  problem: Problem | null;
}

/** Actual result of listing an agent. */
export interface Outcome {
  url: string;
  outcome: 'listed' | 'unchanged' | 'refused';
  agent: { slug: string; name: string } | null;
  problem: Problem | null;
}

/** An entry of the report. */
export interface Row extends Pick<Entry, 'number' | 'identifier' | 'name' | 'url' | 'problem'> {
  state: 'ready' | 'confirm' | Outcome['outcome'];
  slug: string | null;
}

/** Returns the report of a check. */
export function rowsOf({ entries }: ImportList, verdicts: Map<string, Verdict>): Row[] {
  return entries.map(({ number, identifier, name, url, problem }) => {
    const verdict = verdicts.get(url ?? '');
    return {
      ...{ number, identifier, url },
      name: verdict?.agent?.name ?? name,
      state: verdict ? stateOf(verdict) : 'refused',
      slug: verdict?.agent?.slug ?? null,
      problem: verdict?.problem ?? problem ?? originProblem(verdict),
    };
  });
}

function stateOf({ verdict }: Verdict): Row['state'] {
  return verdict === 'listed' ? 'unchanged' : verdict;
}

function originProblem(verdict: Verdict | undefined): Problem | null {
  const origin = verdict?.otherOrigin;
  if (verdict?.verdict !== 'confirm' || !origin) return null;
  const message = `The card from ${origin.expected} sends calls to ${origin.found}. If this is correct, add --confirm-origins.`;
  return { code: 'confirm_origin', message };
}

/** Returns the row after the listing. */
export function withOutcome(row: Row, outcome: Outcome | undefined): Row {
  if (!outcome) return row;
  return { ...row, state: outcome.outcome, slug: outcome.agent?.slug ?? null, problem: outcome.problem };
}

/** Display text of each state. */
const words: Record<Row['state'], string> = {
  ready: 'can be listed',
  confirm: 'confirm',
  listed: 'listed',
  unchanged: 'already listed',
  refused: 'refused',
};

/** Prints the report: one line per entry, and below it the reason why it was not listed; or a single object. */
export function printReport(
  { terminal, origin }: Session,
  report: ImportList & { rows: Row[]; json: boolean | undefined },
): void {
  const { source, format, omitted, rows, json } = report;
  if (json) {
    terminal.print(JSON.stringify({ source, format, omitted, entries: rows }));
    return;
  }
  for (const { state, name, identifier, url, slug, problem, number } of rows) {
    const shown = plainLine(name ?? identifier ?? `entry ${number}`);
    const where = slug === null ? plainLine(url ?? identifier ?? '') : `${origin}/agents/${slug}`;
    terminal.print(`${words[state].padEnd(13)}  ${terminal.paint('bold', shown)}  ${where}`);
    if (problem) terminal.print(`               ${plainLine(problem.message)}`);
  }
  if (omitted > 0) terminal.say(`${omitted} more entries were not read. Split the list and import each part.`);
}
