import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';

export type ServerProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** Parley's own credentials, which a server does not need. */
const OWN_SECRETS = ['PARLEY_TOKEN', 'PARLEY_CLIENT_ID', 'PARLEY_CLIENT_SECRET'];
/** Time to end after the end of stdin, and after SIGTERM, in milliseconds. */
const GRACE_MS = 2_000;

/**
 * Divides a command at spaces outside of quotes. No shell is involved, so variables and pipes have no meaning.
 * @throws {Failure} for an empty command, and a quote without an end
 */
export function splitCommand(text: string): [string, ...string[]] {
  const words: string[] = [];
  const word = /\s*((?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+)\s*/gsuy;
  const trimmed = text.trim();
  while (word.lastIndex < trimmed.length) {
    const [, found] = word.exec(trimmed) ?? [];
    if (found === undefined) throw new Failure(EXIT.usage, `The command "${text}" has a quote without an end.`);
    words.push(unquote(found));
  }
  const [command, ...args] = words;
  if (command === undefined)
    throw new Failure(EXIT.usage, 'Expected a command after --mcp, such as "npx -y my-server".');
  return [command, ...args];
}

function unquote(word: string): string {
  const pieces = word.match(/'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^'"\\]+/gsu) ?? [];
  return pieces
    .map((piece) => {
      if (piece.startsWith("'")) return piece.slice(1, -1);
      const inside = piece.startsWith('"') ? piece.slice(1, -1) : piece;
      return inside.replaceAll(/\\(["'\\\s])/g, '$1');
    })
    .join('');
}

/**
 * Starts a server in a process group of its own, so that Ctrl-C lets its calls end first. It inherits the environment except
 * for Parley's credentials.
 */
export function startProcess([command, ...args]: [string, ...string[]], environment: NodeJS.ProcessEnv): ServerProcess {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !OWN_SECRETS.includes(name)));
  const isWindows = process.platform === 'win32';
  // Node starts npx.cmd on Windows only with a shell.
  return spawn(command, args, {
    env: env as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: !isWindows,
    shell: isWindows,
  });
}

/** Ends a process: closes its stdin, then sends SIGTERM, and finally SIGKILL, to its group. */
export async function endProcess(child: ServerProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.stdin.end();
  for (const name of ['SIGTERM', 'SIGKILL'] as const) {
    const timer = setTimeout(() => signalGroup(child, name), name === 'SIGTERM' ? GRACE_MS : 2 * GRACE_MS);
    void ended.then(() => clearTimeout(timer));
  }
  await ended;
}

function signalGroup({ pid }: ServerProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, name);
  } catch {
    // It has just ended.
  }
}
