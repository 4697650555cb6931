import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../db/database-errors';
import { databaseChecks, type ReadinessCheck } from '../db/database-readiness';
import { READINESS_TIMEOUT_MS } from '../limits';
import { log } from './log';

const DATABASE_LOST = 'the database is unreachable';

interface Readiness {
  checks: Map<string, ReadinessCheck>;
  /** Set at the start of shutdown. */
  stopping: boolean;
  /** The failed checks of the last run, to log only changes. */
  failed: string;
}

const readiness: Readiness = { checks: new Map(), stopping: false, failed: '' };

/** Adds a check to `/readyz`, such as that of the demo agents. Replaces an existing check with the same name. */
export function addReadinessCheck(check: ReadinessCheck): void {
  readiness.checks.set(check.name, check);
}

/** Returns all checks of `/readyz`. */
export function readinessChecks(): ReadinessCheck[] {
  return [...databaseChecks(), ...readiness.checks.values()];
}

/** Makes this node not ready permanently, so that load balancers drain it. */
export function markStopping(): void {
  readiness.stopping = true;
}

/** Returns true after {@link markStopping} was called. */
export function isStopping(): boolean {
  return readiness.stopping;
}

/** Returns the failed checks with their reasons; empty if the node is ready. Returns within a second. */
export async function findFailures(): Promise<Record<string, string>> {
  if (isStopping()) return { stopping: 'this node is stopping' };
  const failures = await failuresOf(readinessChecks());
  logChange(failures);
  return failures;
}

/**
 * Returns the failed checks among `checks`, which run concurrently with one deadline. Unfinished checks count as
 * failed. The check `database` is listed first if another check failed because of the database, even if it has not
 * failed itself.
 */
export async function failuresOf(checks: readonly ReadinessCheck[]): Promise<Record<string, string>> {
  const reasons = new Map<string, string | null>();
  for (const { name } of checks) reasons.set(name, `the check did not finish within ${READINESS_TIMEOUT_MS} ms`);
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, READINESS_TIMEOUT_MS);
  })
    // A process that was stalled first reads the data that arrived in the meantime.
    .then(() => nextTurn());
  const waiting = new Set(checks.filter(({ needsDatabase }) => needsDatabase));
  let isDatabaseLost = false;
  const all = checks.map(async (one) => {
    try {
      reasons.set(one.name, await one.check());
    } catch (error) {
      isDatabaseLost ||= isDatabaseUnavailable(error);
      // The message of a library may contain addresses and names. The check itself logs it.
      reasons.set(one.name, 'the check failed');
    }
    waiting.delete(one);
  });
  await Promise.race([Promise.all(all), deadline]);
  clearTimeout(timer);
  const failures = Object.fromEntries([...reasons].filter((entry): entry is [string, string] => entry[1] !== null));
  return isDatabaseLost || waiting.size > 0 ? { database: DATABASE_LOST, ...failures } : failures;
}

function logChange(failures: Record<string, string>): void {
  const failed = Object.keys(failures).join();
  if (failed === readiness.failed) return;
  readiness.failed = failed;
  if (failed) log.warn('readiness.failed', failures);
  else log.info('readiness.recovered');
}
