import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../cli-output.mjs';
import { isAlive, probePort, processMark } from '../processes.mjs';
import { endProcess, until } from './end-process';

/** An agent to run: its program, and its variables in addition to its URL and build. */
export interface AgentLaunch {
  slug: string;
  /** The bundled program. */
  bundle: string;
  logFile: string;
  /** The variables, including its secret. The agent's environment has no other variables of ours. */
  variables: Record<string, string>;
  /** Tried first if the agent has no port yet. */
  preferredPort: number;
}

/** A started agent, stored on disk, so that the next server can adopt it. */
export interface AgentProcess {
  port: number;
  /** The process, see `processMark`. */
  mark: string;
  /** SHA-256 of its bundle. */
  build: string;
  /** SHA-256 of its variables. */
  launch: string;
}

const HOST = '127.0.0.1';
const HEALTH_MS = 1_000;
const START_MS = 30_000;
const STOP_MS = 5_000;
const PORTS_TRIED = 50;

/** Returns the agent's origin. */
export function originOf({ port }: Pick<AgentProcess, 'port'>): string {
  return `http://${HOST}:${port}`;
}

/**
 * Ensures that the agent runs with this build and these variables: adopts the known process if that is the case,
 * otherwise replaces it on the same port. The process is detached and survives a killed server.
 * @throws {CliError} if the agent does not start, or another program has its port
 */
export async function ensureAgent(launch: AgentLaunch, known: AgentProcess | null): Promise<AgentProcess> {
  const wanted = { build: sha256(readFileSync(launch.bundle)), launch: sha256(JSON.stringify(launch.variables)) };
  if (
    known &&
    known.build === wanted.build &&
    known.launch === wanted.launch &&
    (await isHealthy(launch.slug, known))
  ) {
    return known;
  }
  if (known) await stopAgent(launch.slug, known);
  const port = await choosePort(launch, known);
  return start(launch, { ...wanted, port });
}

/** Returns true if the process is alive and responds on its port as this agent in this build. */
export async function isHealthy(slug: string, agent: AgentProcess): Promise<boolean> {
  if (!isAlive(agent.mark)) return false;
  const health = await fetchHealth(agent.port);
  return health?.agent === slug && health.build === agent.build;
}

/**
 * Stops the agent with SIGTERM, and with SIGKILL after five seconds. Does nothing if it is already gone.
 */
export async function stopAgent(slug: string, agent: AgentProcess): Promise<void> {
  if (!isAlive(agent.mark)) return;
  // A mark without a start time may refer to another program's process.
  const isSure = !agent.mark.endsWith(':') || (await fetchHealth(agent.port))?.agent === slug;
  if (!isSure) return;
  await endProcess(agent.mark, { name: `the demo agent ${slug}`, termMs: STOP_MS });
}

interface Health {
  agent?: unknown;
  build?: unknown;
}

async function fetchHealth(port: number): Promise<Health | null> {
  try {
    const response = await fetch(`${originOf({ port })}/healthz`, { signal: AbortSignal.timeout(HEALTH_MS) });
    const body: unknown = await response.json();
    return typeof body === 'object' ? body : null;
  } catch {
    // No process listens, or it is not one of our agents.
    return null;
  }
}

/** Chooses a port. The listing contains the port, so an agent that has one keeps it. */
async function choosePort({ slug, preferredPort }: AgentLaunch, known: AgentProcess | null): Promise<number> {
  if (known) {
    if ((await probePort({ port: known.port, host: HOST })) === 'free') return known.port;
    throw new CliError(
      `port ${known.port} of the demo agent ${slug} is taken by another program; end it, or set DEMO=0`,
    );
  }
  for (let port = preferredPort; port < preferredPort + PORTS_TRIED; port += 1) {
    if ((await probePort({ port, host: HOST })) === 'free') return port;
  }
  throw new CliError(`no port from ${preferredPort} on is free for the demo agent ${slug}; set DEMO=0`);
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
  const ready = async (): Promise<boolean> => child.exitCode !== null || isHealthy(slug, agent);
  const settled = await until(ready, START_MS);
  if (settled && child.exitCode === null) return agent;
  await stopAgent(slug, agent);
  throw new CliError(`the demo agent ${slug} did not start: ${lastLogLine(logFile)} (${logFile})`);
}

/** @throws {Error} if the program cannot be run */
async function markOf(child: ChildProcess): Promise<string | null> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  return child.pid === undefined ? null : processMark(child.pid);
}

/** Returns the agent's last log line, without stack frames and Node's closing line. */
function lastLogLine(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !/^(?:\s|\}|Node\.js v)/.test(line)).at(-1) ?? 'it said nothing';
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}
