import canonicalize from 'canonicalize';
import type { JsonValue } from './json';

/**
 * The JSON Canonicalization Scheme (RFC 8785): one text for one value. Members that are undefined are left out.
 * @throws {Error} for what no JSON text holds, such as half of a surrogate pair
 */
export function canonicalJson(value: JsonValue): string {
  return canonicalize(value) ?? 'null';
}
