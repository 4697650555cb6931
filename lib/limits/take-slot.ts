import { shared } from '../platform/registry';

/**
 * Takes one of `max` places for `key`, such as one open stream of a person; answers the way to give it back, or null
 * when all are taken.
 */
export function takeSlot(name: string, key: string, max: number): (() => void) | null {
  const taken = shared(`slots:${name}`, () => new Map<string, number>());
  const count = taken.get(key) ?? 0;
  if (count >= max) return null;
  taken.set(key, count + 1);
  let given = false;
  return () => {
    if (given) return;
    given = true;
    const left = (taken.get(key) ?? 1) - 1;
    if (left > 0) taken.set(key, left);
    else taken.delete(key);
  };
}
