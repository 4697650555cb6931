const key = Symbol.for('parley.registry');

interface SingletonHolder {
  [key]?: Map<string, unknown>;
}

/**
 * One value per process under `name`, created on first use. Stored on `globalThis`, because server.ts and Next's
 * bundles load this module separately and must share pools, caches and streams.
 */
export function processSingleton<T>(name: string, make: () => T): T {
  const holder = globalThis as SingletonHolder;
  holder[key] ??= new Map();
  const registry = holder[key];
  const existing = registry.get(name);
  if (existing !== undefined) return existing as T;
  const value = make();
  registry.set(name, value);
  return value;
}
