import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../json';
import { idPattern } from '../core/ids';

/** Ids that callers choose: short, printable. */
export const idSchema = z.string().max(255).regex(idPattern, 'expected 1 to 255 characters, no control characters');

/** What is not there may be written as `null`, or as an empty text (ProtoJSON does both). */
export const absentSchema = z.literal('');

/** Any JSON object: what it holds was checked when it was parsed (LIM-5), and is not walked through once more. */
export const metadataSchema = z.record(z.string(), z.unknown()) as z.ZodType<JsonObject>;
/** Any JSON value, for the same reason. */
export const jsonSchema = z.unknown() as z.ZodType<JsonValue>;
export const historyLengthSchema = z.number().int().min(0).max(2_147_483_647);
export const base64Schema = z.string().regex(/^[A-Za-z0-9+/_-]*={0,2}$/, 'expected base64');

/** What becomes a request header of a push: printable ASCII, so that nothing can be smuggled in behind it. */
const headerSchema = z
  .string()
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/, 'expected 1 to 4096 printable characters');

export const pushUrlSchema = z
  .string()
  .max(2_048)
  .regex(/^[^\p{Cc}\s]+$/u, 'expected an address of 1 to 2048 characters, no spaces');
export const pushTokenSchema = headerSchema;
export const pushCredentialsSchema = headerSchema;
export const pushSchemeSchema = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]{1,64}$/, 'expected the name of an HTTP authentication scheme');

const reasonBytes = 1_024;
/** Why a task is canceled, from `reason` or `metadata.reason`. */
export const reasonSchema = z
  .string()
  .refine((text) => new TextEncoder().encode(text).byteLength <= reasonBytes, `expected at most ${reasonBytes} bytes`);
