import { existsSync, readFileSync, statSync } from 'node:fs';
import { confirm, isCancel } from '@clack/prompts';
import type { Command } from 'commander';
import type { CommandContext } from '../command-line.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import {
  type ImportList,
  type Outcome,
  printReport,
  type Row,
  rowsOf,
  type Verdict,
  withOutcome,
} from '../import-report.js';
import { readAll } from '../read-input.js';
import type { Session } from '../session.js';

interface ImportOptions {
  dryRun?: boolean;
  yes?: boolean;
  visibility?: string;
  tags?: string[];
  confirmOrigins?: boolean;
  json?: boolean;
}

/** Maximum number of agents that Parley checks or lists per request. */
const BATCH = 20;
const MAX_FILE_BYTES = 900_000;

/** Checks the agents of a list and lists the valid ones. Returns the exit code. */
async function importAgents(session: Session, source: string, options: ImportOptions): Promise<number> {
  const { terminal } = session;
  const list = await session.call<ImportList>('/api/imports', { body: await bodyOf(source) });
  const verdicts = await inBatches<Verdict>(session, '/api/imports/check', {
    agents: urlsOf(list).map((url) => ({ url })),
  });
  const wanted = [...verdicts.values()].filter(({ verdict }) => isWanted(verdict, options)).map(({ url }) => url);
  const rows = rowsOf(list, verdicts);
  const report = (shown: Row[]): void => printReport(session, { ...list, rows: shown, json: options.json });
  if (options.dryRun || wanted.length === 0) {
    report(rows);
    if (list.entries.length === 0) terminal.say('The list is empty.');
    else if (wanted.length > 0)
      terminal.say(`${agents(wanted.length)} can be listed. To list them, run the command without --dry-run.`);
    else terminal.say('There is nothing to list.');
    return wanted.length > 0 || rows.some(({ state }) => state === 'unchanged') ? EXIT.ok : EXIT.failed;
  }
  if (!options.yes) {
    if (!options.json) report(rows);
    await ask(session, wanted.length);
  }
  const { visibility, tags } = options;
  const chosen = wanted.map((url) => ({ url, confirmOrigin: verdicts.get(url)?.verdict === 'confirm' }));
  const outcomes = await inBatches<Outcome>(session, '/api/imports/list', { agents: chosen, visibility, tags });
  const done = rows.map((row) => withOutcome(row, outcomes.get(row.url ?? '')));
  report(options.yes || options.json ? done : done.filter(({ url }) => url !== null && outcomes.has(url)));
  const listed = [...outcomes.values()].filter(({ outcome }) => outcome === 'listed').length;
  terminal.say(`${agents(listed)} listed.`);
  return listed === wanted.length ? EXIT.ok : EXIT.failed;
}

function isWanted(verdict: Verdict['verdict'], { confirmOrigins }: ImportOptions): boolean {
  return verdict === 'ready' || (verdict === 'confirm' && confirmOrigins === true);
}

function agents(count: number): string {
  return count === 1 ? '1 agent' : `${count} agents`;
}

/** Reads the content of a file, of stdin for `-`, or of a URL. */
async function bodyOf(source: string): Promise<{ url: string } | { text: string }> {
  if (source === '-') return { text: await readAll(process.stdin) };
  if (/^https?:\/\//i.test(source) || !existsSync(source)) return { url: source };
  const size = statSync(source).size;
  if (size <= MAX_FILE_BYTES) return { text: readFileSync(source, 'utf8') };
  const message = `${source} has ${size} bytes; expected at most ${MAX_FILE_BYTES}.`;
  throw new Failure(EXIT.failed, message, 'Serve it over https and import its URL, or split it.');
}

function urlsOf({ entries }: ImportList): string[] {
  return entries.flatMap(({ url }) => url ?? []);
}

/** Sends the agents in several requests; returns the results by URL. */
async function inBatches<Result extends { url: string }>(
  session: Session,
  path: string,
  { agents: all, ...options }: { agents: object[]; visibility?: string; tags?: string[] },
): Promise<Map<string, Result>> {
  const found = new Map<string, Result>();
  for (let from = 0; from < all.length; from += BATCH) {
    const body = { agents: all.slice(from, from + BATCH), ...options };
    const { results } = await session.call<{ results: Result[] }>(path, { body });
    for (const result of results) found.set(result.url, result);
  }
  return found;
}

/** @throws {Failure} unless the user confirms at a terminal */
async function ask({ terminal, signal }: Session, count: number): Promise<void> {
  const hint = 'To list them without confirmation, add --yes.';
  if (!terminal.isInteractive)
    throw new Failure(EXIT.failed, `${agents(count)} can be listed. Nothing was listed.`, hint);
  const message = `List ${agents(count)}?`;
  const agreed = await confirm({ message, initialValue: false, output: process.stderr, signal });
  if (isCancel(agreed)) throw new Failure(EXIT.interrupted, 'Nothing was listed.');
  if (!agreed) throw new Failure(EXIT.failed, 'Nothing was listed.', hint);
}

/** Adds `parley import`. */
export function addImport(program: Command, { act, all }: CommandContext): void {
  program
    .command('import')
    .description('list the agents of another catalog: an ARD manifest, an MCP registry or A2A cards')
    .argument('<source>', 'URL of the catalog or its site, a file, or - for stdin')
    .option('--dry-run', 'check every agent without listing any')
    .option('-y, --yes', 'list agents without asking')
    .option('--visibility <who>', 'public, unlisted or private')
    .option('--tags <tags>', 'separated by commas', (list: string) => list.split(',').map((tag) => tag.trim()))
    .option('--confirm-origins', 'confirm that calls may go to different origins than the cards come from')
    .action((source: string, options: ImportOptions) => act((session) => importAgents(session, source, all(options))));
}
