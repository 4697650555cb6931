const key = Symbol.for('parley.registry');

interface SingletonHolder {
  [key]?: Map<string, unknown>;
}

/**
 * One value per process under `name`, made on first use. `server.ts` and Next's bundles load this module separately;
 * the registry hangs on `globalThis` so that both planes share pools, caches and live streams.
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
