/**
 * A function that returns one value, made at its first call: for module state that needs settings, timers or
 * subscriptions, which an import must not. After a failure the next call tries again.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
