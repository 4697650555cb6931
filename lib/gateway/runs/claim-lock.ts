import { processSingleton } from '../../platform/singleton';

/**
 * Serializes claiming and starting runs in this process: a run that is claimed but not yet registered would seem
 * orphaned.
 */
export function withClaimLock<Result>(work: () => Promise<Result>): Promise<Result> {
  const lock = processSingleton('run-claims', () => ({ last: Promise.resolve() as Promise<unknown> }));
  const next = lock.last.then(work);
  lock.last = next.catch(() => undefined);
  return next;
}
