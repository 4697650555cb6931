import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { endProcess, startProcess } from '../serve-mcp/start-process.js';
import { plainLine } from '../terminal.js';

/** An agent that a command started, until `close`. */
export interface StartedAgent {
  url: string;
  close(): Promise<void>;
}

export interface StartOptions {
  command: [string, ...string[]];
  /** URL at which the agent will be; by default, the port that it receives as `PORT`. */
  url: string | null;
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

const CARD_PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json'];
/** Maximum time from the start of a command to the card of its agent. */
const START_MS = 60_000;
const POLL_MS = 100;
const LAST_LINES = 8;

/**
 * Starts an agent by a command, without a shell, and waits until it serves a card.
 * @throws {Failure} if the command cannot be started, ends, or serves no card in a minute
 */
export async function startAgent({ command, url, environment, signal }: StartOptions): Promise<StartedAgent> {
  const port = url === null ? await freePort() : null;
  const target = url ?? `http://127.0.0.1:${port}`;
  const child = startProcess(command, { ...environment, ...(port !== null && { PORT: String(port) }) });
  const lines: string[] = [];
  const state: { ended: string | null } = { ended: null };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.split('\n').filter((line) => line.trim() !== ''));
      lines.splice(0, lines.length - LAST_LINES);
    });
  }
  child.once('error', (error) => {
    state.ended = error.message;
  });
  child.once('exit', (code) => {
    state.ended ??= `it ended with code ${code}`;
  });
  try {
    await waitForCard(target, state, signal);
  } catch (error) {
    await endProcess(child);
    signal.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.exitCode, error.message, lines.map(plainLine).join('\n') || error.hint);
  }
  return { url: target, close: () => endProcess(child) };
}

async function waitForCard(url: string, state: { ended: string | null }, signal: AbortSignal): Promise<void> {
  const until = Date.now() + START_MS;
  for (;;) {
    if (state.ended !== null) throw new Failure(EXIT.failed, `The agent could not be started: ${state.ended}.`);
    for (const path of CARD_PATHS) if (await responds(`${url.replace(/\/$/, '')}${path}`, signal)) return;
    if (Date.now() > until) {
      const hint = 'The command receives its port as PORT. If it uses another one, pass its URL before the command.';
      throw new Failure(EXIT.unavailable, `The agent served no card at ${url} within ${START_MS / 1_000} s.`, hint);
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** Returns true for any response but those of a server that is still starting. */
async function responds(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(START_MS / 10)]) });
    await response.body?.cancel();
    return response.status !== 404 && response.status !== 503;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
