import { z } from 'zod';
import { publish } from '../../platform/bus';
import type { Ctx } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { failpoint } from '../../platform/runtime/failpoint';
import { log } from '../../platform/runtime/log';
import { DEFAULT_EVENT_LOOKBACK_MS, EVENT_OVERLAP_MS, MAX_EVENT_LOOKBACK_MS, MAX_STRIPE_ID_LENGTH } from '../limits';
import { enqueueBankDispute } from '../store/disputes/bank-dispute-rows';
import { findTopUp } from '../store/ledger';
import { findOrderById } from '../store/orders';
import { enqueueJob, insertStripeEvent, lastEventAt } from '../store/outbox';
import { enqueuePayoutJob, findJobSubject, type JobSubject } from '../store/payouts/payout-jobs';
import { listStripeEvents, type StripeEvent, toStripeEvent, verifyStripeSignature, type WebhookError } from './stripe';
import { cardsEnabled, isTestMode } from './stripe-mode';

/**
 * Processes a Stripe webhook delivery. A signed event in an unsupported format is logged and accepted, because a retry
 * would not help.
 * @throws {ParleyError} `not_found` without Stripe; `invalid_request` for a missing, malformed, wrong or expired
 *   signature
 */
export async function handleStripeWebhook({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'now'>;
  input: { raw: string; signature: string };
}): Promise<void> {
  if (!cardsEnabled()) throw new ParleyError('not_found', 'Card payments are not set up on this site.');
  const event = readWebhookEvent(input.raw, input.signature, ctx.now);
  if (typeof event === 'string') {
    throw new ParleyError('invalid_request', 'The signature of this webhook event is invalid.', {
      data: { fault: event },
    });
  }
  if (event === null) return log.warn('payments.event_invalid', { bytes: Buffer.byteLength(input.raw) });
  failpoint('webhook.received');
  await processStripeEvent(event, ctx.now);
  failpoint('webhook.stored');
}

/**
 * Returns the event of a webhook delivery, null for an unsupported format, or the reason why the delivery is rejected.
 * `raw` is the unmodified body, whose bytes the signature covers.
 */
export function readWebhookEvent(raw: string, signature: string, now: Date): StripeEvent | WebhookError | null {
  const error = verifyStripeSignature({ raw, signature, secrets: env().STRIPE_WEBHOOK_SECRET ?? [] }, now);
  if (error !== null) return error;
  const json = parseJsonOrNull(raw);
  const thin = thinEventSchema.safeParse(json);
  if (thin.success) {
    const { related_object: subject, ...event } = thin.data;
    return toStripeEvent({ ...event, subject: subject.id });
  }
  const parsed = eventSchema.safeParse(json);
  if (!parsed.success) return null;
  const { data, ...event } = parsed.data;
  const { id, object, metadata } = data.object;
  return toStripeEvent({ ...event, metadata, disputeId: object === 'dispute' ? id : undefined });
}

function parseJsonOrNull(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}

/** Text that PostgreSQL can store. */
const storableText = z
  .string()
  .max(MAX_STRIPE_ID_LENGTH)
  .refine((text) => text.isWellFormed() && !text.includes('\0'));

/** The members of a snapshot event that Parley reads. */
const eventSchema = z.object({
  id: storableText,
  type: storableText,
  livemode: z.boolean(),
  account: storableText.optional(),
  data: z.object({
    object: z.looseObject({
      id: storableText.optional().catch(undefined),
      object: z.string().optional().catch(undefined),
      metadata: z
        .object({
          order_id: storableText.optional(),
          top_up_id: storableText.optional(),
          payout_id: storableText.optional(),
        })
        .nullish()
        .catch(null),
    }),
  }),
});

/** The members of a thin event about an account of Accounts v2. Its state must be retrieved. */
const thinEventSchema = z.object({
  id: storableText,
  object: z.literal('v2.core.event'),
  type: storableText,
  livemode: z.boolean(),
  related_object: z.object({ id: storableText, type: z.literal('v2.core.account') }),
});

/**
 * Enqueues a retrieval of the order, top-up, payout, connected account or dispute at a bank that a Stripe event refers to, once per event
 * across nodes. All other data in the event is not trusted. Events about other objects or of the other mode are ignored.
 */
export async function processStripeEvent(event: StripeEvent, now: Date): Promise<void> {
  const { id, type, live, reference } = event;
  const found = live === isTestMode() ? null : await subjectOf(event);
  if (!found) return log.info('payments.event_ignored', { eventId: id, type, live, reference });
  const isNew = await inTransaction(async (tx) => {
    if (!(await insertStripeEvent(tx, { id, type, reference: found.reference, at: now }))) return false;
    if ('job' in found) await enqueueJob(found.job, now, tx);
    else if ('disputeId' in found) await enqueueBankDispute(tx, found.disputeId, now);
    else await enqueuePayoutJob(tx, found.subject, now);
    return true;
  });
  log.info('payments.event_received', { eventId: id, type, reference: found.reference, isNew });
  if (isNew && 'job' in found) await publish('order', found.reference);
}

type RetrieveJob = { orderId: string; kind: 'retrieve' } | { topUpId: string; kind: 'retrieve' };

type EventSubject = { reference: string } & ({ job: RetrieveJob } | { subject: JobSubject } | { disputeId: string });

async function subjectOf({ reference, payoutId, accountId, disputeId }: StripeEvent): Promise<EventSubject | null> {
  if (disputeId !== null) return { reference: disputeId, disputeId };
  if (reference !== null) {
    const job = await jobFor(reference);
    return job && { reference, job };
  }
  const subject = await findJobSubject({ payoutId, accountId });
  return subject && { reference: 'payoutId' in subject ? subject.payoutId : subject.sellerAccountId, subject };
}

async function jobFor(reference: string): Promise<RetrieveJob | null> {
  if (await findOrderById(reference)) return { orderId: reference, kind: 'retrieve' };
  return (await findTopUp(reference)) && { topUpId: reference, kind: 'retrieve' };
}

/** Processes Stripe events whose webhook delivery may have failed. */
export async function reconcileStripeEvents(now: Date): Promise<void> {
  if (!cardsEnabled()) return;
  const last = (await lastEventAt()) ?? new Date(now.getTime() - DEFAULT_EVENT_LOOKBACK_MS);
  const since = Math.max(last.getTime() - EVENT_OVERLAP_MS, now.getTime() - MAX_EVENT_LOOKBACK_MS);
  for await (const event of listStripeEvents(new Date(since))) await processStripeEvent(event, now);
}
