import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { inTransaction } from '../../platform/tx';
import type { JsonObject } from '../../protocol/json';
import { requireOwnListing } from '../merchants/require-own-listing';
import { reasonOf } from '../orders/reasons';
import type { DeliveryResult } from '../ports';
import type { OrderRecord } from '../record';
import type { MandateVerdict } from '../schema';
import { acknowledgeMandates } from '../store/mandates';
import { applyMerchantReply } from './apply-merchant-reply';
import { resolveMandate, toVerdict } from './verify-mandate';

interface ClaimInput {
  agent: string;
  mandate: JsonObject;
  /** The merchant's own number of the order. */
  orderId: string;
  accept: boolean;
}

/**
 * The merchant's word on a mandate, for agents that sign nothing: their app's credentials stand for the receipt. It counts
 * once; accepted, the held money is theirs, refused, it is let go.
 * @throws {ParleyError} `invalid_client`, `not_found`; `conflict` when the mandate was claimed or does not pay, with the state and
 *   the code of its order if that is known
 */
export async function acknowledgeMandate({ ctx, input }: { ctx: Ctx; input: ClaimInput }): Promise<MandateVerdict> {
  const agent = await requireOwnListing(ctx.actor, input.agent);
  const found = await resolveMandate(input.mandate, { agent, now: ctx.now });
  if (found.kind === 'bad') throw notClaimable(found.code, found.order);
  const { order } = found;
  const delivery: DeliveryResult = input.accept
    ? { kind: 'confirmed', merchantOrderId: input.orderId }
    : { kind: 'rejected', code: 'merchant_refused' };
  await inTransaction(async (tx) => {
    if (!(await acknowledgeMandates(tx, order.id, ctx.now))) throw notClaimable('claimed', order);
    if (!(await applyMerchantReply(tx, { order, delivery, at: ctx.now }))) throw notClaimable('not_held', order);
  });
  const after = await resolveMandate(input.mandate, { agent, now: ctx.now });
  return { ...toVerdict(after), valid: true, code: null };
}

function notClaimable(reason: string, order: OrderRecord | null): ParleyError {
  const message = (order && reasonOf(order)) ?? 'This mandate cannot be claimed.';
  return new ParleyError('conflict', message, {
    data: { reason, ...(order && { state: order.state, check: order.code }) },
  });
}
