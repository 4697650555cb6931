import { z } from 'zod';
import { isObject, type JsonObject, type JsonValue } from '../../json';
import { MAX_CANCEL_REASON_BYTES, MAX_HISTORY_LENGTH, MAX_ID_LENGTH, MAX_PUSH_URL_LENGTH } from '../../limits';
import { ProtocolError } from '../../protocol-error';
import { idPattern } from '../core/model';

/** Ids that callers choose. */
export const idSchema = z
  .string()
  .max(MAX_ID_LENGTH)
  .regex(idPattern, 'expected 1 to 255 characters, no control characters');

/** An absent value may be `null` or an empty text; ProtoJSON writes both. */
export const absentSchema = z.literal('');

/** Any JSON object. Not traversed, because its content was checked during parsing. */
export const metadataSchema = z.record(z.string(), z.unknown()) as z.ZodType<JsonObject>;
/** Any JSON value. Not traversed, because its content was checked during parsing. */
export const jsonSchema = z.unknown() as z.ZodType<JsonValue>;
export const historyLengthSchema = z.number().int().min(0).max(MAX_HISTORY_LENGTH);
export const base64Schema = z.string().regex(/^[A-Za-z0-9+/_-]*={0,2}$/, 'expected base64');

/** A header value of a push request: printable ASCII, so that no header can be injected. */
const headerSchema = z
  .string()
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/, 'expected 1 to 4096 printable characters');

export const pushUrlSchema = z
  .string()
  .max(MAX_PUSH_URL_LENGTH)
  .regex(/^[^\p{Cc}\s]+$/u, 'expected a URL of 1 to 2048 characters, no spaces');
export const pushTokenSchema = headerSchema;
export const pushCredentialsSchema = headerSchema;
export const pushSchemeSchema = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]{1,64}$/, 'expected the name of an HTTP authentication scheme');

/** The reason for canceling a task, from `reason` or `metadata.reason`. */
export const reasonSchema = z
  .string()
  .refine(
    (text) => new TextEncoder().encode(text).byteLength <= MAX_CANCEL_REASON_BYTES,
    `expected at most ${MAX_CANCEL_REASON_BYTES} bytes`,
  );

/**
 * Validates params against a dialect's frozen schema.
 * @throws {ProtocolError} `invalid_params` with every invalid member
 */
export function parseParams<Output>(schema: z.ZodType<Output>, params: JsonObject): Output {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const violations = parsed.error.issues.map(({ path, message }) => ({ field: fieldOf(path), description: message }));
  const first = violations[0];
  throw new ProtocolError('invalid_params', `${first?.field || 'params'}: ${first?.description}`, violations);
}

function fieldOf(path: PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}

/**
 * Returns the reason for a cancel: the `reason` parameter, otherwise `metadata.reason`.
 * @throws {ProtocolError} `invalid_params` if the latter is too long
 */
export function cancelReasonOf(
  given: string | null | undefined,
  metadata: JsonObject | null | undefined,
): string | undefined {
  if (given) return given;
  if (typeof metadata?.reason !== 'string' || metadata.reason === '') return undefined;
  const parsed = reasonSchema.safeParse(metadata.reason);
  if (parsed.success) return parsed.data;
  const description = parsed.error.issues[0]?.message ?? '';
  throw new ProtocolError('invalid_params', `metadata.reason: ${description}`, [
    { field: 'metadata.reason', description },
  ]);
}

/**
 * Renames proto names (`message_id`) to JSON names, both of which ProtoJSON allows. The JSON name takes precedence;
 * nested objects are unchanged.
 */
export function withJsonNames(object: JsonObject): JsonObject {
  const names = Object.keys(object);
  if (!names.some((name) => name.includes('_'))) return object;
  const renamed: JsonObject = {};
  for (const name of names) {
    const jsonName = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (jsonName === name || !Object.hasOwn(object, jsonName)) renamed[jsonName] = object[name];
  }
  return renamed;
}

/**
 * Returns a schema of a proto message. Members may have their JSON name or their proto name (`historyLength`,
 * `history_length`), as ProtoJSON requires. The JSON name takes precedence.
 */
export function protoObject<Shape extends z.ZodRawShape>(shape: Shape): z.ZodType<z.output<z.ZodObject<Shape>>> {
  const jsonNames = new Map(Object.keys(shape).map((name) => [protoNameOf(name), name]));
  return z.preprocess((value) => (isObject(value) ? renamed(value, jsonNames) : value), z.object(shape));
}

function protoNameOf(jsonName: string): string {
  return jsonName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function renamed(value: object, jsonNames: Map<string, string>): object {
  const given = Object.entries(value);
  const protoNamed = given.filter(([name]) => name.includes('_'));
  if (protoNamed.length === 0) return value;
  const named = protoNamed.map(([name, member]): [string, unknown] => [jsonNames.get(name) ?? name, member]);
  return Object.fromEntries([...named, ...given.filter(([name]) => !name.includes('_'))]);
}
