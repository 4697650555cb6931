import canonicalize from 'canonicalize';
import type { JsonValue } from './json';

/**
 * Returns the canonical JSON text of a value (JCS, RFC 8785). Omits undefined members.
 * @throws {Error} for values without valid JSON, such as an unpaired surrogate
 */
export function canonicalJson(value: JsonValue): string {
  return canonicalize(value) ?? 'null';
}
