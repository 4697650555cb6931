export type JsonObject = Record<string, unknown>;

/** Returns true for JSON objects; arrays and null are not. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the elements of an array; none for any other value. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a text without control characters, marks of direction and invisible characters, truncated. */
export function cleanText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return '';
  const clean = value
    .slice(0, 4 * maxLength)
    .replace(/[^\P{C}\n\t]/gu, '')
    .trim();
  return clean.length <= maxLength ? clean : `${clean.slice(0, maxLength - 1).toWellFormed()}…`;
}

/** Maximum nesting, and members and elements in total, of JSON that is passed on: what Parley accepts in a message. */
const MAX_DEPTH = 48;
const MAX_MEMBERS = 8_000;

/**
 * Returns a copy of JSON within the limits of Parley; undefined if it exceeds them. Members named `__proto__` and numbers
 * that are not finite are left out.
 */
export function boundedJson(value: unknown): unknown {
  try {
    return copy(value, MAX_DEPTH, { left: MAX_MEMBERS });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function copy(value: unknown, depth: number, members: { left: number }): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) throw new RangeError('nested too deeply');
  const entries = Array.isArray(value) ? value : Object.entries(value);
  members.left -= entries.length;
  if (members.left < 0) throw new RangeError('too many members');
  if (Array.isArray(value)) return value.map((element) => copy(element, depth - 1, members));
  const kept = Object.entries(value).filter(([name]) => name !== '__proto__');
  return Object.fromEntries(kept.map(([name, member]) => [name, copy(member, depth - 1, members)]));
}
