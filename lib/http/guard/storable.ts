import { ParleyError } from '../../platform/errors';
import type { JsonValue } from '../../platform/json';

/** True when PostgreSQL can store the text: no U+0000 and no lone surrogate. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

export const UNSTORABLE_URL = 'Expected a URL without the character U+0000 ("%00").';

/** False for a URL with an encoded U+0000. Invalid UTF-8 never decodes to unstorable text. */
export function isStorableUrl(url: string): boolean {
  return !url.includes('%00');
}

/**
 * Rejects JSON whose strings or member names cannot be stored. `value` is the parsed `text`.
 * @throws {ParleyError} `invalid_request` with the member's pointer
 */
export function requireStorableJson(text: string, value: JsonValue): void {
  if (/\\u(?:0000|d[89a-f])/i.test(text)) requireStorable(value, '');
}

/**
 * Rejects form fields whose name or value cannot be stored.
 * @throws {ParleyError} `invalid_request` with the field's name
 */
export function requireStorableForm(fields: Iterable<[string, string]>): void {
  for (const [name, value] of fields) if (!isStorable(name) || !isStorable(value)) throw unstorable(name);
}

function requireStorable(value: JsonValue, pointer: string): void {
  if (typeof value === 'string' && !isStorable(value)) throw unstorable(pointer);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name)) throw unstorable(pointer);
    requireStorable(member, `${pointer}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`);
  }
}

function unstorable(pointer: string): ParleyError {
  const named = pointer.replaceAll('\0', '').toWellFormed();
  const message = 'expected Unicode text, found the character U+0000 or half of a surrogate pair. Remove it.';
  const data = { faults: [{ pointer: named, message }] };
  return new ParleyError('invalid_request', `${named || 'The body'}: ${message}`, { data });
}
