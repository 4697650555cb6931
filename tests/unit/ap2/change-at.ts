type Location = (string | number)[];
type Holder = Record<string | number, unknown>;

/** Every path in a value, as member names and indexes. */
export function pathsOf(value: unknown, before: Location = []): Location[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const location = [...before, Array.isArray(value) ? Number(name) : name];
    return [location, ...pathsOf(member, location)];
  });
}

/**
 * Sets or removes the value at a path, or adds a sibling member; at the top nothing is added, because the top is
 * unsigned.
 */
export function changeAt(root: object, location: Location, { how, value }: { how: string; value: unknown }): void {
  let parent: Holder = Object.assign(root);
  for (const step of location.slice(0, -1)) parent = Object.assign(Object(parent[step]));
  const last = location.at(-1) ?? '';
  if (how === 'set') parent[last] = value;
  else if (Array.isArray(parent))
    parent.splice(Number(last), how === 'drop' ? 1 : 0, ...(how === 'drop' ? [] : [value]));
  else if (how === 'drop') delete parent[last];
  else if (location.length > 1) parent[`${last}2`] = value;
}
