import type { JsonValue } from './json';

/**
 * The JSON Canonicalization Scheme (RFC 8785): one text for one value. Numbers and texts are written as ECMAScript does,
 * members in the order of their UTF-16 units; members that are undefined are left out.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .flatMap((name) => {
      const member = value[name];
      return member === undefined ? [] : [`${JSON.stringify(name)}:${canonicalJson(member)}`];
    });
  return `{${members.join(',')}}`;
}
