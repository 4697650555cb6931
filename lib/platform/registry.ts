const key = Symbol.for('parley.registry');

interface RegistryHolder {
  [key]?: Map<string, unknown>;
}

/**
 * One value per process under `name`, made on first use. `server.ts` and Next's bundles load this module separately;
 * the registry hangs on `globalThis` so that both planes share pools, caches and live streams.
 */
export function shared<T>(name: string, make: () => T): T {
  const holder = globalThis as RegistryHolder;
  holder[key] ??= new Map();
  const registry = holder[key];
  const known = registry.get(name);
  if (known !== undefined) return known as T;
  const value = make();
  registry.set(name, value);
  return value;
}
