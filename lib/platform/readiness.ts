import { setImmediate as nextTurn } from 'node:timers/promises';
import { readinessTimeoutMs } from './database-limits';
import { databaseChecks, type ReadinessCheck } from './database-readiness';
import { log } from './log';
import { processSingleton } from './singleton';

interface Readiness {
  checks: Map<string, ReadinessCheck>;
  /** Set when the process begins to stop. */
  stopping: boolean;
  /** What failed at the last look, to log changes only. */
  failed: string;
}

function readiness(): Readiness {
  return processSingleton('readiness', () => ({ checks: new Map(), stopping: false, failed: '' }));
}

/** Adds a check to `/readyz`, such as the demo agents'; a second one of the same name replaces the first. */
export function addReadinessCheck(check: ReadinessCheck): void {
  readiness().checks.set(check.name, check);
}

/** Everything that must hold before traffic may come. */
export function readinessChecks(): ReadinessCheck[] {
  return [...databaseChecks(), ...readiness().checks.values()];
}

/** From now on this node is not ready, so that load balancers send their traffic elsewhere. */
export function markStopping(): void {
  readiness().stopping = true;
}

/** True once {@link markStopping} was called. */
export function isStopping(): boolean {
  return readiness().stopping;
}

/** The checks that fail, each with its reason; empty when the node can serve. Answers within a second whatever hangs. */
export async function findFailures(): Promise<Record<string, string>> {
  if (isStopping()) return { stopping: 'this node is being stopped' };
  const failures = await failuresOf(readinessChecks());
  logChange(failures);
  return failures;
}

/** What is wrong with which of `checks`. All run at once under one deadline; those that are unfinished then count as failed. */
export async function failuresOf(checks: readonly ReadinessCheck[]): Promise<Record<string, string>> {
  const reasons = new Map<string, string | null>();
  for (const { name } of checks) reasons.set(name, `found nothing out within ${readinessTimeoutMs} ms`);
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, readinessTimeoutMs);
  })
    // A process that was held up itself reads first what came in the meantime.
    .then(() => nextTurn());
  const all = checks.map(async ({ name, check }) => reasons.set(name, await reasonOf(check)));
  await Promise.race([Promise.all(all), deadline]);
  clearTimeout(timer);
  return Object.fromEntries([...reasons].filter((entry): entry is [string, string] => entry[1] !== null));
}

async function reasonOf(check: ReadinessCheck['check']): Promise<string | null> {
  try {
    return await check();
  } catch {
    // What a library says may hold addresses and names; the log has it where the check wrote it.
    return 'the check failed';
  }
}

function logChange(failures: Record<string, string>): void {
  const state = readiness();
  const failed = Object.keys(failures).join();
  if (failed === state.failed) return;
  state.failed = failed;
  if (failed) log.warn('readiness.lost', failures);
  else log.info('readiness.regained');
}
