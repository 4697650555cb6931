/**
 * Returns a function that creates a value on its first call and returns the same value afterwards. For module state
 * that reads settings or starts timers or subscriptions, so that an import has no effect. After a failure, the next
 * call retries.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
