type Place = (string | number)[];
type Holder = Record<string | number, unknown>;

/** Every place in a value, as member names and indexes. */
export function pathsOf(value: unknown, before: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const place = [...before, Array.isArray(value) ? Number(name) : name];
    return [place, ...pathsOf(member, place)];
  });
}

/** Sets or drops what stands at a place, or adds a member beside it; at the top nothing is added, nobody signed that. */
export function changeAt(root: object, place: Place, { how, value }: { how: string; value: unknown }): void {
  let parent: Holder = Object.assign(root);
  for (const step of place.slice(0, -1)) parent = Object.assign(Object(parent[step]));
  const last = place.at(-1) ?? '';
  if (how === 'set') parent[last] = value;
  else if (Array.isArray(parent))
    parent.splice(Number(last), how === 'drop' ? 1 : 0, ...(how === 'drop' ? [] : [value]));
  else if (how === 'drop') delete parent[last];
  else if (place.length > 1) parent[`${last}2`] = value;
}
