import { readFileSync } from 'node:fs';
import { ParleyError } from '@parley/agent';
import { CommanderError } from 'commander';
import type { Act, GlobalOptions } from './command-line.js';
import { configFolder } from './config-folder.js';
import { EXIT } from './exit-codes.js';
import { exitCodeOf, Failure, hintOf } from './failure.js';
import { createProgram } from './program.js';
import { openSession } from './session.js';
import { openTerminal, plain } from './terminal.js';

const terminal = openTerminal(process, process.env);
const interrupt = new AbortController();

process.on('SIGINT', onInterrupt);
process.on('SIGTERM', onInterrupt);
// The reader may close the pipe early: `parley search | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.failed),
);

const program = createProgram(act, versionOf());
for (const command of [program, ...program.commands.flatMap((group) => [group, ...group.commands])]) {
  command.exitOverride();
}
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

async function act(work: Parameters<Act>[0]): Promise<void> {
  const { apiUrl } = program.opts<GlobalOptions>();
  const folder = configFolder(process.env, process.platform);
  const session = openSession({ apiUrl, folder, environment: process.env, terminal, signal: interrupt.signal });
  process.exitCode = (await work(session)) ?? EXIT.ok;
}

/** Handles Ctrl-C: the first one aborts in an orderly way, the second one exits immediately. */
function onInterrupt(): void {
  if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
  interrupt.abort(new Failure(EXIT.interrupted, 'Interrupted.'));
}

/** Prints the error and its remedy; returns the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const cause = interrupt.signal.aborted && !(error instanceof Failure) ? interrupt.signal.reason : error;
  const known = cause instanceof Failure || cause instanceof ParleyError;
  const message = cause instanceof Error ? cause.message : String(cause);
  const hint = hintOf(cause);
  if (program.opts<GlobalOptions>().json) {
    const code = cause instanceof ParleyError ? cause.code : null;
    terminal.say(JSON.stringify({ error: { code, message, hint, exitCode: exitCodeOf(cause) } }));
  } else {
    terminal.say(`parley: ${plain(known ? message : `unexpected error: ${message}`)}`);
    if (hint) terminal.say(hint);
  }
  return exitCodeOf(cause);
}

function versionOf(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
