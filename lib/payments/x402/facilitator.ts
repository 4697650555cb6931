import type { z } from 'zod';
import { postToService, ServiceError } from '../../platform/http-client/post-to-service';
import { env } from '../../platform/runtime/env';
import { log } from '../../platform/runtime/log';
import {
  type PaymentPayload,
  type PaymentRequirements,
  settleAnswerSchema,
  verifyAnswerSchema,
} from '../../protocol/x402/x402-messages';
import { MAX_FACILITATOR_BYTES, X402_SETTLE_TIMEOUT_MS, X402_VERIFY_TIMEOUT_MS } from '../limits';

/** What a facilitator is asked about. */
export interface FacilitatedPayment {
  payload: PaymentPayload;
  requirements: PaymentRequirements;
}

/** Whether a payment can be settled. `away`: there is no usable answer. */
export type Verification =
  | { kind: 'valid'; payer: string }
  | { kind: 'invalid'; reason: string }
  | { kind: 'away'; reason: string };

/**
 * The result of a settlement. `refused`: this request transferred nothing. `lost`: it may have, because there is no
 * usable answer. `unsent`: it cannot have been processed.
 */
export type SettlementAnswer =
  | { kind: 'settled'; transaction: string }
  | { kind: 'refused' | 'lost' | 'unsent'; reason: string };

/** Asks the facilitator of this site whether a payment can be settled. Transfers nothing. */
export async function verifyPayment(payment: FacilitatedPayment): Promise<Verification> {
  const found = await ask('verify', payment, { schema: verifyAnswerSchema, timeoutMs: X402_VERIFY_TIMEOUT_MS });
  if ('failure' in found) return { kind: 'away', reason: found.failure };
  const { isValid, invalidReason, payer } = found.answer;
  if (!isValid) return { kind: 'invalid', reason: invalidReason ?? 'not valid' };
  return { kind: 'valid', payer: payer ?? '' };
}

/** Asks the facilitator to transfer a payment. May be repeated, because an authorization transfers once. */
export async function settlePayment(payment: FacilitatedPayment): Promise<SettlementAnswer> {
  const found = await ask('settle', payment, { schema: settleAnswerSchema, timeoutMs: X402_SETTLE_TIMEOUT_MS });
  if ('failure' in found) return { kind: found.isUnsent ? 'unsent' : 'lost', reason: found.failure };
  const { success, errorReason, transaction, network, amount } = found.answer;
  if (!success) return { kind: 'refused', reason: errorReason ?? 'not settled' };
  const { requirements } = payment;
  const isAbout = (network ?? requirements.network) === requirements.network;
  const isWhole = (amount ?? requirements.amount) === requirements.amount;
  if (!transaction) return { kind: 'lost', reason: 'success without a transaction' };
  if (!isAbout || !isWhole) return { kind: 'lost', reason: 'success for another network or amount' };
  return { kind: 'settled', transaction };
}

type Found<Answer> = { answer: Answer } | { failure: string; isUnsent: boolean };

async function ask<Schema extends z.ZodType>(
  operation: 'verify' | 'settle',
  { payload, requirements }: FacilitatedPayment,
  { schema, timeoutMs }: { schema: Schema; timeoutMs: number },
): Promise<Found<z.infer<Schema>>> {
  const { X402_FACILITATOR_URL = '', X402_FACILITATOR_KEY: key } = env();
  const url = `${X402_FACILITATOR_URL.replace(/\/$/, '')}/${operation}`;
  const body = { x402Version: 2, paymentPayload: payload, paymentRequirements: requirements };
  try {
    const { status, text } = await postToService({ url, key, body, timeoutMs, maxBytes: MAX_FACILITATOR_BYTES });
    const parsed = status < 500 ? schema.safeParse(jsonIn(text)) : null;
    if (parsed?.success) return { answer: parsed.data };
    // A request that was not admitted was not processed.
    const isUnsent = [401, 403, 404, 405, 429].includes(status);
    log.warn('x402.facilitator_failed', { operation, status });
    return { failure: `the facilitator answered with status ${status}`, isUnsent };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.warn('x402.facilitator_failed', { operation, reason: error.reason, message: error.message });
    return { failure: `the facilitator did not answer (${error.reason})`, isUnsent: error.isUnsent };
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
