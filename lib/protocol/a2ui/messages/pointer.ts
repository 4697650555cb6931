import { isObject, type JsonValue } from '../../json';
import { MAX_A2UI_DEPTH, MAX_A2UI_ITEMS, MAX_A2UI_NAME_LENGTH } from '../../limits';

/** A location in a data model: names of members and indexes of elements. */
export type Path = readonly string[];

/** Names that are never a location, because some code takes them for the prototype of an object. */
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Returns the location of a JSON pointer (RFC 6901); null for one that is invalid or too deep. A pointer without a
 * leading slash is relative to `base`.
 */
export function readPath(pointer: string, base: Path = []): Path | null {
  if (pointer.length > MAX_A2UI_DEPTH * (MAX_A2UI_NAME_LENGTH + 1)) return null;
  const isAbsolute = pointer.startsWith('/');
  const names = pointer
    .slice(isAbsolute ? 1 : 0)
    .split('/')
    .filter((name, index, all) => name !== '' || index < all.length - 1);
  const own = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path = isAbsolute ? own : [...base, ...own];
  return path.length <= MAX_A2UI_DEPTH && path.every(isName) ? path : null;
}

function isName(name: string): boolean {
  return name !== '' && name.length <= MAX_A2UI_NAME_LENGTH && !reserved.has(name);
}

/** Returns the value at a location; undefined if there is none. Inherited members are never read. */
export function valueAt(data: JsonValue | undefined, path: Path): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, name) => {
    if (Array.isArray(value)) return isIndex(name) ? value[Number(name)] : undefined;
    return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, data);
}

/**
 * Returns the data with the value at the location; undefined removes it. What is missing on the way is created: a list
 * before an index, otherwise an object. Returns the data unchanged if the index is beyond the end of its list.
 */
export function withValueAt(data: JsonValue, path: Path, value: JsonValue | undefined): JsonValue {
  const [name, ...rest] = path;
  if (name === undefined) return value ?? {};
  if (Array.isArray(data)) return withElement(data, { name, rest, value });
  const members = isObject(data) ? data : {};
  if (!isObject(data) && isIndex(name)) return withElement([], { name, rest, value });
  if (rest.length === 0 && value === undefined) {
    return Object.fromEntries(Object.entries(members).filter(([key]) => key !== name));
  }
  const known = Object.hasOwn(members, name) ? members[name] : undefined;
  return { ...members, [name]: rest.length === 0 ? value : withValueAt(known ?? null, rest, value) };
}

interface ElementChange {
  name: string;
  rest: Path;
  value: JsonValue | undefined;
}

function withElement(list: JsonValue[], { name, rest, value }: ElementChange): JsonValue {
  const index = Number(name);
  if (!isIndex(name) || index > list.length || index >= MAX_A2UI_ITEMS) return list;
  const next = rest.length === 0 ? (value ?? null) : withValueAt(list[index] ?? null, rest, value);
  return list.with === undefined || index === list.length
    ? [...list.slice(0, index), next, ...list.slice(index + 1)]
    : list.with(index, next);
}

function isIndex(name: string): boolean {
  return /^(0|[1-9]\d{0,4})$/.test(name);
}

/** Returns true if one location contains the other. */
export function overlaps(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((name, index) => name === other[index]);
}
