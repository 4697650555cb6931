import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { log } from '../../platform/log';
import { processStripeEvent } from './process-stripe-event';
import { readWebhookEvent } from './stripe';
import { cardsEnabled } from './stripe-mode';

/**
 * Processes a webhook delivery of Stripe. A signed event that we cannot use is logged and accepted: a retry would not help.
 * @throws {ParleyError} `not_found` without Stripe; `invalid_request` for a signature that is wrong, old, malformed or missing
 */
export async function handleStripeWebhook({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'now'>;
  input: { raw: string; signature: string };
}): Promise<void> {
  if (!cardsEnabled()) throw new ParleyError('not_found', 'No payments by card are set up here.');
  const event = readWebhookEvent(input.raw, input.signature, ctx.now);
  if (typeof event === 'string') {
    throw new ParleyError('invalid_request', 'The signature of this notice is not right.', { data: { fault: event } });
  }
  if (event === null) return log.warn('payments.event_unusable', { bytes: Buffer.byteLength(input.raw) });
  await processStripeEvent(event, ctx.now);
}
