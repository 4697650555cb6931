import { truncate } from '../a2a/cards/clean-text';
import { minorUnitDigits } from '../ap2/money';
import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../json';
import {
  MAX_FORM_FILES,
  MAX_FORM_HELP_LENGTH,
  MAX_FORM_LABEL_LENGTH,
  MAX_FORM_LINES,
  MAX_FORM_TEXT_LENGTH,
} from '../limits';
import type { FormField } from './form';
import { readInitial, readOptions } from './read-options';
import { resolveSchema } from './resolve-schema';
import { readSafePattern } from './safe-pattern';

/** Omits the members that all fields have from each member of the union. */
type Typed<Field> = Field extends FormField
  ? Omit<Field, 'path' | 'key' | 'label' | 'help' | 'required' | 'requiredWith' | 'group' | 'sendsNull'>
  : never;
type FieldType = Typed<FormField>;

interface FieldInput {
  schema: JsonObject;
  /** The initial value. */
  value: JsonValue | undefined;
  root: JsonObject;
}

/** Texts with more characters get a control of several lines. */
const LONG_TEXT_LENGTH = 160;
/** Formats that agents use for files and for texts of several lines; JSON Schema has none. */
const fileFormats = ['binary', 'byte', 'file', 'data-url', 'base64'];
const longFormats = ['textarea', 'multiline', 'markdown'];
const dateFormats = ['date', 'time', 'date-time'] as const;

/**
 * Returns the type of a field; null for a schema that no control represents. `password`: the agent asks for a secret, for
 * which Parley has no control.
 */
export function readFieldType(input: FieldInput): FieldType | 'password' | null {
  const { schema, value } = input;
  if ('const' in schema && schema.const !== true) return readFixed(schema.const ?? null);
  if (schema.readOnly === true && value !== undefined) return readFixed(value);
  if (schema.format === 'password' || schema.writeOnly === true) return 'password';
  const options = readOptions(schema);
  if (options?.length === 0) return null;
  if (options) return { kind: 'choice', options, initial: readInitial(options, value) };
  switch (typeOf(schema)) {
    case 'boolean':
      return { kind: 'boolean', mustBeTrue: schema.const === true, initial: value === true };
    case 'integer':
    case 'number':
      return readNumber(input, false);
    case 'string':
      return readText(input);
    case 'array':
      return readArray(input);
    default:
      return null;
  }
}

/** The user does not see the value, so only one that cannot be read as a statement is sent in the user's name. */
const identifier = /^[\w.:/-]{0,64}$/;

function readFixed(value: JsonValue): FieldType | null {
  const isHarmless = typeof value === 'string' ? identifier.test(value) : !(value instanceof Object);
  return isHarmless ? { kind: 'fixed', value } : null;
}

/** Returns the label of a property: its title, or its name in words. */
export function labelOf(name: string, { title }: JsonObject): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim();
  return truncate(
    nonEmptyString(title) ?? (words.charAt(0).toUpperCase() + words.slice(1) || name),
    MAX_FORM_LABEL_LENGTH,
  );
}

export function helpOf({ description }: JsonObject): string {
  return truncate(nonEmptyString(description) ?? '', MAX_FORM_HELP_LENGTH);
}

/** A property without a type is a text, as in the forms of simple agents. */
function typeOf({ type, const: only, items }: JsonObject): JsonValue | undefined {
  return type ?? (only === true ? 'boolean' : items === undefined ? 'string' : 'array');
}

function readText(input: FieldInput): FieldType | null {
  const { schema, value } = input;
  const format = nonEmptyString(schema.format);
  const date = dateFormats.find((name) => name === format);
  if (date) {
    const limit = (name: string): string => nonEmptyString(schema[name]) ?? '';
    return { kind: date, min: limit('formatMinimum'), max: limit('formatMaximum'), initial: initialText(value).text };
  }
  if (format === 'number' || format === 'integer' || currencyOf(schema)) return readNumber(input, true);
  if (isFile(schema)) return fileType(schema, 1, false);
  const maxLength = Math.min(countOf(schema.maxLength) ?? MAX_FORM_TEXT_LENGTH, MAX_FORM_TEXT_LENGTH);
  const { text, placeholder } = initialText(value);
  return {
    kind: 'text',
    format: formatOf(format),
    isMultiline: longFormats.includes(format ?? '') || (maxLength > LONG_TEXT_LENGTH && schema.maxLength !== undefined),
    minLength: countOf(schema.minLength) ?? 0,
    maxLength,
    pattern: typeof schema.pattern === 'string' ? readSafePattern(schema.pattern) : null,
    initial: text.slice(0, MAX_FORM_TEXT_LENGTH),
    placeholder,
  };
}

function formatOf(format: string | undefined): 'email' | 'url' | 'tel' | null {
  if (format === 'email' || format === 'idn-email') return 'email';
  if (format === 'uri' || format === 'url' || format === 'iri') return 'url';
  return format === 'tel' || format === 'phone' ? 'tel' : null;
}

/** Some agents send `<what belongs here>` as the value of an empty field. */
function initialText(value: JsonValue | undefined): { text: string; placeholder: string } {
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
  const [, placeholder] = /^<([^<>]{1,100})>$/.exec(text) ?? [];
  return placeholder === undefined ? { text, placeholder: '' } : { text: '', placeholder };
}

function readNumber({ schema, value }: FieldInput, asText: boolean): FieldType | null {
  const currency = currencyOf(schema);
  const isInteger = schema.type === 'integer' || schema.format === 'integer';
  const number = (name: string): number | undefined => finite(schema[name]);
  const [over, under] = [number('exclusiveMinimum'), number('exclusiveMaximum')];
  // The smallest difference between two values.
  const unit = isInteger ? 1 : currency ? 10 ** -(minorUnitDigits(currency) ?? 2) : Number.EPSILON;
  return {
    ...{ kind: 'number', isInteger, asText, currency },
    min: Math.max(number('minimum') ?? -Infinity, over === undefined ? -Infinity : over + unit),
    max: Math.min(number('maximum') ?? Infinity, under === undefined ? Infinity : under - unit),
    step: number('multipleOf') ?? (currency && !isInteger ? unit : 0),
    initial: initialText(value).text.slice(0, MAX_FORM_LABEL_LENGTH),
  };
}

/** Returns the currency of an amount: `format: "money"` or `"currency"` with `currency` or `x-currency`. */
function currencyOf({ format, currency, 'x-currency': extension }: JsonObject): string | null {
  if (format !== undefined && format !== 'money' && format !== 'currency') return null;
  const code = nonEmptyString(currency) ?? nonEmptyString(extension);
  return code && /^[A-Z]{3}$/.test(code) && minorUnitDigits(code) !== null ? code : null;
}

function readArray({ schema, value, root }: FieldInput): FieldType | null {
  const items = resolveSchema(schema.items, root)?.schema;
  if (!items) return null;
  const minItems = countOf(schema.minItems) ?? 0;
  const maxItems = countOf(schema.maxItems) ?? Number.MAX_SAFE_INTEGER;
  const values = Array.isArray(value) ? value : [];
  const options = readOptions(items);
  if (options?.length === 0) return null;
  if (options) {
    const initial = values.map((item) => readInitial(options, item)).filter((index) => index !== '');
    return { kind: 'choices', options, minItems, maxItems, initial };
  }
  if (items.type !== 'string') return null;
  if (isFile(items)) return fileType(items, Math.min(maxItems, MAX_FORM_FILES), true);
  return {
    ...{ kind: 'lines', minItems },
    maxItems: Math.min(maxItems, MAX_FORM_LINES),
    maxLength: Math.min(countOf(items.maxLength) ?? MAX_FORM_TEXT_LENGTH, MAX_FORM_TEXT_LENGTH),
    initial: values.filter((item) => typeof item === 'string').join('\n'),
  };
}

function isFile({ format, contentMediaType, contentEncoding }: JsonObject): boolean {
  return fileFormats.includes(String(format)) || typeof contentMediaType === 'string' || contentEncoding === 'base64';
}

function fileType(schema: JsonObject, maxItems: number, isList: boolean): FieldType {
  const { format, contentEncoding, contentMediaType, accept } = schema;
  const isInline = contentEncoding === 'base64' || format === 'byte' || format === 'base64';
  const types = [contentMediaType, ...(Array.isArray(accept) ? accept : String(accept ?? '').split(','))];
  return {
    kind: 'file',
    accept: types
      .filter((type) => typeof type === 'string')
      .map((type) => type.trim().toLowerCase())
      .filter(isType),
    encoding: format === 'data-url' ? 'data-url' : isInline ? 'base64' : 'name',
    ...{ maxItems, isList },
  };
}

function isType(type: string): boolean {
  return /^[\w.+-]+\/(?:\*|[\w.+-]+)$/.test(type) && type !== '*/*' && type !== 'application/octet-stream';
}

function countOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function finite(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns the schema of an object with properties; null for others. */
export function propertiesOf(schema: JsonObject): JsonObject | null {
  return (schema.type ?? 'object') === 'object' && isObject(schema.properties) ? schema.properties : null;
}
