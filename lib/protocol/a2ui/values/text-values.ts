import { isObject, type JsonValue } from '../../json';
import { MAX_A2UI_TEXT_LENGTH } from '../../limits';

/** Returns a value as text, at most as long as a text may be: empty for none, JSON for lists and objects. */
export function toText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > MAX_A2UI_TEXT_LENGTH ? text.slice(0, MAX_A2UI_TEXT_LENGTH).toWellFormed() : text;
}

/** Returns true for a condition that holds: true, or a result of a validation that says so (1.0). */
export function isTrue(value: JsonValue): boolean {
  return isObject(value) ? value.valid === true || value.isValid === true : value === true || value === 'true';
}

/** Returns true for no value, an empty text and an empty list. */
export function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
