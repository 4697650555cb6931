/**
 * A function that makes a value at its first call, and returns the same from then on. For module state that reads
 * settings, or starts timers or subscriptions, so that an import does not. After a failure, the next call tries again.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
