import { z } from 'zod';
import type { JsonObject } from '../../json';

/** Ids that callers choose: short, printable. */
export const idSchema = z
  .string()
  .max(255)
  .regex(/^[^\p{Cc}]+$/u, 'expected 1 to 255 characters, no control characters');

export const metadataSchema = z.record(z.string(), z.json()) as z.ZodType<JsonObject>;
export const historyLengthSchema = z.number().int().min(0).max(2_147_483_647);
export const base64Schema = z.string().regex(/^[A-Za-z0-9+/_-]*={0,2}$/, 'expected base64');
