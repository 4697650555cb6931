import { z } from 'zod';
import type { JsonObject } from '../json';

/** The headers of x402 (version 2, HTTP transport), in lower case. */
export const PAYMENT_REQUIRED_HEADER = 'payment-required';
export const PAYMENT_SIGNATURE_HEADER = 'payment-signature';
export const PAYMENT_RESPONSE_HEADER = 'payment-response';

/** Maximum characters of `PAYMENT-SIGNATURE`. */
const MAX_PAYMENT_HEADER = 12_000;

/** Replaces what a text from outside may not contain in an error, and cuts it. */
const reason = z.string().transform((text) => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200));

const requirementsSchema = z.strictObject({
  scheme: z.string().min(1).max(40),
  network: z.string().min(1).max(100),
  amount: z.string().regex(/^\d{1,40}$/),
  asset: z.string().min(1).max(200),
  payTo: z.string().min(1).max(200),
  maxTimeoutSeconds: z.number(),
  extra: z.record(z.string(), z.unknown()),
});

/** One way to pay (x402 §5.1). `amount` is in atomic units of the asset. */
export interface PaymentRequirements {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra: JsonObject;
}

/** The content of an answer 402 (x402 §5.1). */
export interface PaymentRequired {
  x402Version: 2;
  /** Why a payment is required, or why the one that was sent is not accepted. */
  error: string;
  resource: { url: string; description: string; mimeType: string };
  accepts: PaymentRequirements[];
}

const payloadSchema = z.looseObject({
  x402Version: z.literal(2),
  accepted: requirementsSchema,
  payload: z.record(z.string(), z.unknown()),
});

/** A payment as its payer sent it (x402 §5.2): the accepted requirements, and what the payer signed. */
export interface PaymentPayload {
  x402Version: 2;
  accepted: PaymentRequirements;
  payload: JsonObject;
  [member: string]: unknown;
}

/** Reads `PAYMENT-SIGNATURE`. Returns the reason if it is not a payment of x402, version 2. */
export function readPayment(header: string): PaymentPayload | string {
  if (header.length > MAX_PAYMENT_HEADER) return `expected at most ${MAX_PAYMENT_HEADER} characters`;
  if (!/^[\w+/-]+={0,2}$/.test(header)) return 'expected base64';
  const value = jsonIn(Buffer.from(header, 'base64').toString('utf8'));
  if (value === undefined) return 'expected JSON in base64, without characters that cannot be stored';
  const parsed = payloadSchema.safeParse(value);
  if (parsed.success) return parsed.data as PaymentPayload;
  const [issue] = parsed.error.issues;
  return `expected a payment of x402, version 2; ${(issue?.path ?? []).join('.').slice(0, 100)}: ${issue?.message ?? ''}`;
}

/** Returns undefined for text that is not JSON, or has numbers that are not finite, or text that is not Unicode. */
function jsonIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text, (_, inner) => {
      if (typeof inner === 'number' && !Number.isFinite(inner)) throw new RangeError('not a finite number');
      return inner;
    });
    return /\\u(0000|d[89a-f])/.test(JSON.stringify(value)) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Returns a message as the value of a header. */
export function writeHeader(message: object): string {
  return Buffer.from(JSON.stringify(message)).toString('base64');
}

/** The answer of a facilitator's `/verify` (x402 §7.1). */
export const verifyAnswerSchema = z.object({
  isValid: z.boolean(),
  invalidReason: reason.nullish(),
  payer: reason.nullish(),
});

/** The answer of a facilitator's `/settle` (x402 §7.2). */
export const settleAnswerSchema = z.object({
  success: z.boolean(),
  errorReason: reason.nullish(),
  transaction: z
    .string()
    .regex(/^[\x21-\x7e]{0,300}$/)
    .nullish(),
  network: z.string().max(100).nullish(),
  payer: z.string().max(200).nullish(),
  amount: z.string().max(80).nullish(),
});

/** The content of `PAYMENT-RESPONSE` (x402 §5.3). */
export interface Settlement {
  success: boolean;
  transaction: string;
  network: string;
  payer: string;
  errorReason?: string;
}
