import { processSingleton } from '../../platform/singleton';

/** Claims runs and begins them, one caller after the other: a run that is claimed and not begun yet looks stranded to others. */
export function withClaimLock<Result>(work: () => Promise<Result>): Promise<Result> {
  const lock = processSingleton('run-adoptions', () => ({ last: Promise.resolve() as Promise<unknown> }));
  const next = lock.last.then(work);
  lock.last = next.catch(() => undefined);
  return next;
}
