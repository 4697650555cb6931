import { truncate } from '../a2a/cards/clean-text';
import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../json';
import { MAX_FORM_LABEL_LENGTH, MAX_FORM_OPTIONS } from '../limits';
import type { FormOption } from './form';

/**
 * Returns the options of a schema: `enum`, with `enumNames` of older agents, or constants in `oneOf` or `anyOf`, with
 * their titles. Null for a schema without options, and none if they are too many or no simple values.
 */
export function readOptions(schema: JsonObject): FormOption[] | null {
  const { enum: values, enumNames } = schema;
  if (Array.isArray(values)) {
    const names = Array.isArray(enumNames) ? enumNames : [];
    return optionsOf(values.map((value, index) => ({ value, label: names[index] })));
  }
  const members = [schema.oneOf, schema.anyOf].find(Array.isArray);
  if (!members?.every((member) => isObject(member) && 'const' in member)) return null;
  return optionsOf(members.filter(isObject).map((member) => ({ value: member.const ?? null, label: member.title })));
}

function optionsOf(all: { value: JsonValue; label: JsonValue | undefined }[]): FormOption[] {
  const options = all.filter(({ value }) => value !== null);
  if (options.length === 0 || options.length > MAX_FORM_OPTIONS) return [];
  const read = options.flatMap(({ value, label }) => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    return [{ value, label: truncate(nonEmptyString(label) ?? String(value), MAX_FORM_LABEL_LENGTH) }];
  });
  return read.length === options.length ? read : [];
}

/** Returns the index of the option with this value, as text; empty for none. */
export function readInitial(options: readonly FormOption[], value: JsonValue | undefined): string {
  const index = options.findIndex((option) => option.value === value);
  return index < 0 ? '' : String(index);
}
