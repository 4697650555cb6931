import type { JsonObject, JsonValue } from '../json';
import { MAX_FORM_TEXT_LENGTH, MAX_PATTERN_LENGTH } from '../limits';
import type { Form, FormField } from './form';

/** A file of an answer; `bytes` in base64. */
export interface FormFile {
  name: string;
  mediaType: string;
  bytes: string;
}

/** What a control contains: a text, the state of a checkbox, the indexes of options, or files. */
export type RawValue = string | boolean | string[] | FormFile[];
export type RawValues = Record<string, RawValue | undefined>;

/** Why a value is refused. `limit`: the least or the most that is permitted. */
export interface FieldFault {
  code:
    | 'required'
    | 'mustBeTrue'
    | 'tooShort'
    | 'tooLong'
    | 'email'
    | 'url'
    | 'pattern'
    | 'number'
    | 'integer'
    | 'tooSmall'
    | 'tooLarge'
    | 'step'
    | 'date'
    | 'tooEarly'
    | 'tooLate'
    | 'choice'
    | 'tooFew'
    | 'tooMany'
    | 'fileType';
  limit?: number | string;
}

/** The answer: its values as the schema nests them, and the files that it names. Or the faults by field. */
export type CheckedAnswer =
  | { ok: true; values: JsonObject; files: FormFile[] }
  | { ok: false; faults: Record<string, FieldFault> };

/** Checks what the user entered, and returns it in the types that the agent asked for. */
export function checkAnswer({ fields }: Pick<Form, 'fields'>, raw: RawValues): CheckedAnswer {
  const faults: Record<string, FieldFault> = {};
  const values: JsonObject = {};
  const files: FormFile[] = [];
  const filled = fields.filter(
    (field) => field.kind !== 'fixed' && field.kind !== 'boolean' && !isEmpty(raw[field.key]),
  );
  for (const field of fields) {
    const group = field.requiredWith;
    const isRequired = field.required || (group !== null && filled.some(({ key }) => key.startsWith(`${group}/`)));
    const value = raw[field.key];
    if (field.kind === 'fixed') setValue(values, field.path, field.value);
    else if (field.kind !== 'boolean' && isEmpty(value)) {
      if (isRequired) faults[field.key] = { code: 'required' };
      else if (field.sendsNull) setValue(values, field.path, null);
    } else {
      const checked = checkField(field, value);
      if ('fault' in checked) faults[field.key] = checked.fault;
      else {
        setValue(values, field.path, checked.value);
        if (field.kind === 'file' && field.encoding === 'name') files.push(...(value as FormFile[]));
      }
    }
  }
  return Object.keys(faults).length > 0 ? { ok: false, faults } : { ok: true, values, files };
}

function isEmpty(value: RawValue | undefined): boolean {
  return (
    value === undefined ||
    (typeof value === 'string' ? value.trim() === '' : value !== true && value !== false && value.length === 0)
  );
}

function setValue(values: JsonObject, path: string[], value: JsonValue): void {
  let target = values;
  for (const name of path.slice(0, -1)) {
    // An inherited member, such as `toString`, belongs to all objects.
    if (!Object.hasOwn(target, name)) target[name] = {};
    target = target[name] as JsonObject;
  }
  target[path.at(-1) ?? ''] = value;
}

type Checked = { value: JsonValue } | { fault: FieldFault };

function fault(code: FieldFault['code'], limit?: number | string): { fault: FieldFault } {
  return { fault: { code, ...(limit !== undefined && { limit }) } };
}

function checkField(field: FormField, raw: RawValue | undefined): Checked {
  const text = typeof raw === 'string' ? raw : '';
  switch (field.kind) {
    case 'text':
      return checkText(field, field.isMultiline ? text : text.trim());
    case 'number':
      return checkNumber(field, text.trim());
    case 'date':
    case 'time':
    case 'date-time':
      return checkDate(field, text.trim());
    case 'boolean':
      return field.mustBeTrue && raw !== true ? fault('mustBeTrue') : { value: raw === true };
    case 'choice': {
      const option = field.options[Number(text)];
      return option ? { value: option.value } : fault('choice');
    }
    case 'choices':
      return checkChoices(field, Array.isArray(raw) ? raw : []);
    case 'lines':
      return checkLines(field, text);
    case 'file':
      return checkFiles(field, Array.isArray(raw) ? (raw as FormFile[]) : []);
    case 'fixed':
      return { value: field.value };
  }
}

type FieldOf<Kind extends FormField['kind']> = FormField & { kind: Kind };

function checkText({ format, minLength, maxLength, pattern }: FieldOf<'text'>, text: string): Checked {
  const { length } = [...text];
  if (length < minLength) return fault('tooShort', minLength);
  if (length > maxLength || text.length > MAX_FORM_TEXT_LENGTH) return fault('tooLong', maxLength);
  if (format === 'email' && !/^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)*$/.test(text)) return fault('email');
  if (format === 'url' && !URL.canParse(text)) return fault('url');
  if (pattern && text.length <= MAX_PATTERN_LENGTH && !pattern.test(text)) return fault('pattern');
  return { value: text };
}

/** Reads a number with a decimal point or comma. */
function checkNumber({ isInteger, min, max, step, asText }: FieldOf<'number'>, text: string): Checked {
  const plain = text.replace(/^([-+]?\d*),(\d+)$/, '$1.$2');
  const value = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?$/i.test(plain) ? Number(plain) : Number.NaN;
  if (!Number.isFinite(value)) return fault('number');
  if (isInteger && !Number.isSafeInteger(value)) return fault('integer');
  if (value < min) return fault('tooSmall', min);
  if (value > max) return fault('tooLarge', max);
  const multiple = step > 0 ? value / step : 0;
  if (Math.abs(multiple - Math.round(multiple)) > 1e-9 * Math.max(1, Math.abs(multiple))) return fault('step', step);
  return { value: asText ? plain : value };
}

const shapes = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[-+]\d{2}:\d{2})?$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:\d{2})?$/,
} as const;

/** Returns dates and times as RFC 3339 has them: local ones get the seconds and the offset of this time zone. */
function checkDate({ kind, min, max }: FieldOf<'date' | 'time' | 'date-time'>, text: string): Checked {
  const value = kind === 'date' ? text : withOffset(text, kind);
  const time = Date.parse(kind === 'time' ? `1970-01-01T${value}` : value);
  if (!shapes[kind].test(text) || Number.isNaN(time) || (kind === 'date' && !isDay(text))) return fault('date');
  const limit = (of: string): number => Date.parse(kind === 'time' ? `1970-01-01T${withOffset(of, kind)}` : of);
  if (min !== '' && time < limit(min)) return fault('tooEarly', min);
  if (max !== '' && time > limit(max)) return fault('tooLate', max);
  return { value };
}

function isDay(text: string): boolean {
  return new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) ?? false;
}

function withOffset(text: string, kind: 'time' | 'date-time'): string {
  if (/(?:Z|[-+]\d{2}:\d{2})$/.test(text)) return text;
  const local = /:\d{2}:\d{2}/.test(text) ? text : `${text}:00`;
  const minutes = -(kind === 'time' ? new Date() : new Date(local)).getTimezoneOffset();
  if (Number.isNaN(minutes)) return local;
  const two = (number: number): string => String(Math.floor(Math.abs(number))).padStart(2, '0');
  return minutes === 0 ? `${local}Z` : `${local}${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

function checkChoices({ options, minItems, maxItems }: FieldOf<'choices'>, raw: (string | FormFile)[]): Checked {
  const chosen = options.filter((_, index) => raw.includes(String(index)));
  if (chosen.length !== raw.length) return fault('choice');
  if (chosen.length < minItems) return fault('tooFew', minItems);
  if (chosen.length > maxItems) return fault('tooMany', maxItems);
  return { value: chosen.map(({ value }) => value) };
}

function checkLines({ minItems, maxItems, maxLength }: FieldOf<'lines'>, text: string): Checked {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length < minItems) return fault('tooFew', minItems);
  if (lines.length > maxItems) return fault('tooMany', maxItems);
  return lines.some((line) => line.length > maxLength) ? fault('tooLong', maxLength) : { value: lines };
}

function checkFiles({ accept, encoding, maxItems, isList }: FieldOf<'file'>, files: FormFile[]): Checked {
  if (files.length > maxItems) return fault('tooMany', maxItems);
  if (!files.every(({ mediaType }) => isAccepted(accept, mediaType))) return fault('fileType', accept.join(', '));
  const values = files.map(({ name, mediaType, bytes }) => {
    if (encoding === 'name') return name;
    return encoding === 'base64' ? bytes : `data:${mediaType};name=${encodeURIComponent(name)};base64,${bytes}`;
  });
  return { value: isList ? values : (values[0] ?? '') };
}

/** Returns true if a media type is among those that the field accepts. */
function isAccepted(accept: readonly string[], mediaType: string): boolean {
  const [group = ''] = mediaType.split('/', 1);
  return accept.length === 0 || accept.includes(mediaType) || accept.includes(`${group}/*`);
}
