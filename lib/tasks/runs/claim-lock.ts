/** Settles when the work that was claimed last has ended. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Serializes claiming and starting runs in this process: a run that is claimed but not yet registered would appear to
 * be orphaned.
 */
export function withClaimLock<Result>(work: () => Promise<Result>): Promise<Result> {
  const next = last.then(work);
  last = next.catch(() => undefined);
  return next;
}
