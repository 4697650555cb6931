import type { JsonValue } from '../../json';
import { overlaps, type Path, withValueAt } from '../messages/pointer';
import type { Surface } from '../messages/surface';

/** A value that the person entered. */
export interface Entry {
  path: Path;
  value: JsonValue;
  /** The number of the agent's writes before it: a later write to the same location replaces it. */
  since: number;
}

type Written = Pick<Surface, 'data' | 'writes'>;

/** Returns the entries that the agent has not overwritten. */
export function currentEntries({ writes }: Pick<Surface, 'writes'>, entries: readonly Entry[]): Entry[] {
  return entries.filter(({ path, since }) => !writes.slice(since).some((write) => overlaps(write, path)));
}

/** Returns the data of a surface with the person's entries. */
export function withEntries(surface: Written, entries: readonly Entry[]): JsonValue {
  return currentEntries(surface, entries).reduce(
    (data, { path, value }) => (path.length === 0 ? data : withValueAt(data, path, value)),
    surface.data,
  );
}

/** Returns the entries with one more; an earlier one at its location or below is removed. */
export function withEntry(entries: readonly Entry[], entry: Entry): Entry[] {
  const others = entries.filter(({ path }) => !(path.length >= entry.path.length && overlaps(path, entry.path)));
  return [...others, entry];
}
