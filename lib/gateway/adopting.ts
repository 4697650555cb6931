import { shared } from '../platform/registry';

/** Claims runs and begins them, one caller after the other: a run that is claimed and not begun yet looks stranded to others. */
export function adopting<Result>(work: () => Promise<Result>): Promise<Result> {
  const row = shared('run-adoptions', () => ({ last: Promise.resolve() as Promise<unknown> }));
  const next = row.last.then(work);
  row.last = next.catch(() => undefined);
  return next;
}
