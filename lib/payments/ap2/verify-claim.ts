import { canonicalText, hashText } from '@parley/agent/ap2';
import type { AgentRecord } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { isObject, type JsonObject, nonEmptyString } from '../../protocol/json';
import { requireOwnListing } from '../authorization';
import { reasonOf } from '../orders/end-reasons';
import type { DeliveryResult } from '../ports';
import type { OrderRecord } from '../record';
import type { MandateVerdict } from '../schema-merchants';
import { findOrderById } from '../store/orders';
import { acknowledgeMandates, findMandates, findOrderOfMandate, type StoredMandate } from '../store/signed-documents';
import { applyMerchantReply } from './apply-merchant-reply';

interface MandateInput {
  agent: string;
  /** The data of the received part, unchanged. */
  mandate: JsonObject;
}

interface ClaimInput extends MandateInput {
  /** The merchant's own order number. */
  orderId: string;
  accept: boolean;
}

/** A mandate's order, with the reason when the mandate is invalid. */
type ResolvedMandate =
  | { kind: 'valid'; order: OrderRecord; mandates: StoredMandate[] }
  | { kind: 'invalid'; code: string; order: OrderRecord | null; mandates: StoredMandate[] };

/**
 * Verifies a mandate for an agent's own app. `valid` is true if Parley signed it for this agent, it is unaltered and
 * unexpired, and its money is held. Otherwise `valid` is false with the reason; other agents' mandates are unknown.
 * @throws {ParleyError} `invalid_client`, `not_found`
 */
export async function verifyMandate({ ctx, input }: { ctx: Ctx; input: MandateInput }): Promise<MandateVerdict> {
  const agent = await requireOwnListing(ctx.actor, input.agent);
  return toVerdict(await resolveMandate(input.mandate, { agent, now: ctx.now }));
}

/**
 * The merchant's decision on a mandate, for agents that cannot sign: the app's credentials replace the signed receipt.
 * It applies once. For an accepted mandate the hold is captured; for a rejected one it is released.
 * @throws {ParleyError} `invalid_client`, `not_found`; `conflict` when the mandate is claimed or invalid, with the
 * state and code of its order if known
 */
export async function acknowledgeMandate({ ctx, input }: { ctx: Ctx; input: ClaimInput }): Promise<MandateVerdict> {
  const agent = await requireOwnListing(ctx.actor, input.agent);
  const found = await resolveMandate(input.mandate, { agent, now: ctx.now });
  if (found.kind === 'invalid') throw notClaimable(found.code, found.order);
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

/**
 * Finds the order of a mandate. Every signed mandate is stored, so its exact text is compared, not only its signature.
 */
async function resolveMandate(
  received: JsonObject,
  { agent, now }: { agent: AgentRecord; now: Date },
): Promise<ResolvedMandate> {
  const tokens = tokensOf(received);
  const [first] = tokens;
  const orderId = first === undefined ? null : await findOrderOfMandate(await hashText(first));
  const order = orderId === null ? null : await findOrderById(orderId);
  const stored = order && (await findMandates(order.id));
  if (!order || !stored || order.agentId !== agent.id) return invalidMandate('unknown_mandate', null, []);
  const { mandates, data } = stored;
  if (!isUnaltered(received, data) || tokens.some((token) => !mandates.some((mandate) => mandate.token === token))) {
    return invalidMandate('altered_mandate', null, []);
  }
  if (mandates.some(({ expiresAt }) => expiresAt <= now)) return invalidMandate('mandate_expired', order, mandates);
  if (order.state !== 'authorized' && order.state !== 'mandate_delivered')
    return invalidMandate('not_held', order, mandates);
  return { kind: 'valid', order, mandates };
}

function invalidMandate(code: string, order: OrderRecord | null, mandates: StoredMandate[]): ResolvedMandate {
  return { kind: 'invalid', code, order, mandates };
}

/** The tokens in the data of a part, under their AP2 member names. */
function tokensOf(data: JsonObject): string[] {
  const mandate = data['ap2.mandates.PaymentMandate'];
  const names = ['ap2.mandates.PaymentMandateSdJwt', 'ap2.mandates.CheckoutMandateSdJwt', 'ap2.checkout_mandate'];
  const found = [isObject(mandate) ? mandate.user_authorization : undefined, ...names.map((name) => data[name])];
  return found.flatMap((token) => nonEmptyString(token) ?? []);
}

/** True when the PaymentMandate object of AP2 0.1, which accompanies the token, equals the stored one. */
function isUnaltered(received: JsonObject, sent: JsonObject): boolean {
  const name = 'ap2.mandates.PaymentMandate';
  return canonicalText(received[name] ?? null) === canonicalText(sent[name] ?? null);
}

function toVerdict(found: ResolvedMandate): MandateVerdict {
  const { order, mandates } = found;
  const expiries = mandates.map(({ expiresAt }) => expiresAt.getTime());
  return {
    valid: found.kind === 'valid',
    code: found.kind === 'invalid' ? found.code : null,
    order: order && {
      id: order.id,
      state: order.state,
      cartId: order.cartId,
      amount: order.amount,
      currency: order.currency,
      claimed: mandates.some(({ claimedAt }) => claimedAt !== null),
      claimBy: new Date(Math.min(...expiries)).toISOString(),
    },
  };
}
