import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, probePort, processMark } from '../processes.mjs';
import { Refusal } from '../report.mjs';

/** An agent to be running: what to run, and what to tell it beside its address and build. */
export interface AgentLaunch {
  slug: string;
  /** The bundled program. */
  bundle: string;
  logFile: string;
  /** Secret and all; the agent sees these variables and no others of ours. */
  variables: Record<string, string>;
  /** Tried first when the agent has no port yet. */
  preferredPort: number;
}

/** An agent that was started; kept on disk, so that the next server knows it again. */
export interface AgentProcess {
  port: number;
  /** Names the process, see `processMark`. */
  mark: string;
  /** SHA-256 of the bundle it runs. */
  build: string;
  /** SHA-256 of the variables it was started with. */
  launch: string;
}

const HOST = '127.0.0.1';
const POLL_MS = 25;
const HEALTH_MS = 1_000;
const START_MS = 30_000;
const STOP_MS = 5_000;
const PORTS_TRIED = 50;

/** Where the agent is reached. */
export function originOf({ port }: Pick<AgentProcess, 'port'>): string {
  return `http://${HOST}:${port}`;
}

/**
 * Makes sure that the agent runs, in this build and with these variables: adopts the known process when it still
 * answers so, else ends it and starts another on the same port. The process is detached; it outlives a server that is
 * killed.
 * @throws {Refusal} when the agent does not start, or another program has its port
 */
export async function ensureAgent(launch: AgentLaunch, known: AgentProcess | null): Promise<AgentProcess> {
  const wanted = { build: sha256(readFileSync(launch.bundle)), launch: sha256(JSON.stringify(launch.variables)) };
  if (known && known.build === wanted.build && known.launch === wanted.launch && (await answers(launch.slug, known))) {
    return known;
  }
  if (known) await stopAgent(launch.slug, known);
  const port = await choosePort(launch, known);
  return start(launch, { ...wanted, port });
}

/** True when the process lives and answers on its port as this agent in this build. */
export async function answers(slug: string, agent: AgentProcess): Promise<boolean> {
  if (!isAlive(agent.mark)) return false;
  const health = await askHealth(agent.port);
  return health?.agent === slug && health.build === agent.build;
}

/**
 * Ends the agent with SIGTERM and waits until it is gone; after five seconds it is killed. Fine when it is gone
 * already.
 */
export async function stopAgent(slug: string, agent: AgentProcess): Promise<void> {
  if (!isAlive(agent.mark)) return;
  // Without a start time in the mark the process id may belong to another program by now.
  const isSure = !agent.mark.endsWith(':') || (await askHealth(agent.port))?.agent === slug;
  if (!isSure) return;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    send(agent.mark, signal);
    if (await until(() => !isAlive(agent.mark), STOP_MS)) return;
  }
  throw new Refusal(`the demo agent ${slug} (process ${Number.parseInt(agent.mark, 10)}) does not end; end it by hand`);
}

function send(mark: string, signal: NodeJS.Signals): void {
  try {
    process.kill(Number.parseInt(mark, 10), signal);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!isGone) throw error;
  }
}

interface Health {
  agent?: unknown;
  build?: unknown;
}

async function askHealth(port: number): Promise<Health | null> {
  try {
    const response = await fetch(`${originOf({ port })}/healthz`, { signal: AbortSignal.timeout(HEALTH_MS) });
    const body: unknown = await response.json();
    return typeof body === 'object' ? body : null;
  } catch {
    // Nobody there, or somebody who is no agent of ours.
    return null;
  }
}

/** The listing at Parley names the port, so an agent that has one keeps it. */
async function choosePort({ slug, preferredPort }: AgentLaunch, known: AgentProcess | null): Promise<number> {
  if (known) {
    if ((await probePort({ port: known.port, host: HOST })) === 'free') return known.port;
    throw new Refusal(
      `port ${known.port} of the demo agent ${slug} is taken by another program; end it, or set DEMO=0`,
    );
  }
  for (let port = preferredPort; port < preferredPort + PORTS_TRIED; port += 1) {
    if ((await probePort({ port, host: HOST })) === 'free') return port;
  }
  throw new Refusal(`no port from ${preferredPort} on is free for the demo agent ${slug}; set DEMO=0`);
}

async function start(
  { slug, bundle, logFile, variables }: AgentLaunch,
  { port, build, launch }: Omit<AgentProcess, 'mark'>,
): Promise<AgentProcess> {
  mkdirSync(path.dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(process.execPath, [path.resolve(bundle)], {
    env: {
      ...variables,
      NODE_ENV: 'production',
      HOST,
      PORT: String(port),
      PUBLIC_URL: originOf({ port }),
      BUILD_ID: build,
    },
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  const agent = { port, build, launch, mark: (await markOf(child)) ?? '' };
  const ready = async (): Promise<boolean> => child.exitCode !== null || answers(slug, agent);
  const settled = await until(ready, START_MS);
  if (settled && child.exitCode === null) return agent;
  await stopAgent(slug, agent);
  throw new Refusal(`the demo agent ${slug} did not start: ${lastWords(logFile)} (${logFile})`);
}

/** @throws {Error} when the program cannot be run at all */
async function markOf(child: ChildProcess): Promise<string | null> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  return child.pid === undefined ? null : processMark(child.pid);
}

/** What the agent last said, past stack frames and Node's own closing line. */
function lastWords(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !/^(?:\s|\}|Node\.js v)/.test(line)).at(-1) ?? 'it said nothing';
}

/** Polls until the condition holds; false when it did not within the time. */
async function until(holds: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  for (;;) {
    if (await holds()) return true;
    if (performance.now() > end) return false;
    await sleep(POLL_MS);
  }
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}
