import { canonicalText, hashText } from '@parley/agent/ap2';
import type { AgentRecord } from '../catalog';
import type { Ctx } from '../platform/context';
import { isObject, type JsonObject, textOf } from '../protocol/json';
import { requireOwnListing } from './own-listing';
import type { OrderRecord } from './record';
import type { MandateVerdict } from './schema';
import { findMandates, findOrderOfMandate, type KeptMandate } from './store/mandates';
import { findOrderById } from './store/orders';

interface MandateInput {
  agent: string;
  /** The data of the part that it came in, as it was received. */
  mandate: JsonObject;
}

/** What there is to a mandate: its order while it pays, or why it does not. */
export type FoundMandate =
  | { kind: 'good'; order: OrderRecord; mandates: KeptMandate[] }
  | { kind: 'bad'; code: string; order: OrderRecord | null; mandates: KeptMandate[] };

/**
 * Tells an agent's own app whether a mandate that it got is ours, unaltered, for this agent, in time, and its money held.
 * Everything else is one `valid: false` with the reason; mandates of others are unknown ones.
 * @throws {ParleyError} `invalid_client`, `not_found`
 */
export async function verifyMandate({ ctx, input }: { ctx: Ctx; input: MandateInput }): Promise<MandateVerdict> {
  const agent = await requireOwnListing(ctx.actor, input.agent);
  return toVerdict(await lookUpMandate(input.mandate, { agent, now: ctx.now }));
}

/** The order of a mandate. We know every one that we signed, so the very text decides, and not only its signature. */
export async function lookUpMandate(
  given: JsonObject,
  { agent, now }: { agent: AgentRecord; now: Date },
): Promise<FoundMandate> {
  const tokens = tokensOf(given);
  const [first] = tokens;
  const orderId = first === undefined ? null : await findOrderOfMandate(await hashText(first));
  const order = orderId === null ? null : await findOrderById(orderId);
  const kept = order && (await findMandates(order.id));
  if (!order || !kept || order.agentId !== agent.id) return bad('unknown_mandate', null, []);
  const { mandates, data } = kept;
  if (!isUnaltered(given, data) || tokens.some((token) => !mandates.some((mandate) => mandate.token === token))) {
    return bad('altered_mandate', null, []);
  }
  if (mandates.some(({ expiresAt }) => expiresAt <= now)) return bad('mandate_expired', order, mandates);
  if (order.state !== 'authorized' && order.state !== 'mandate_delivered') return bad('not_held', order, mandates);
  return { kind: 'good', order, mandates };
}

function bad(code: string, order: OrderRecord | null, mandates: KeptMandate[]): FoundMandate {
  return { kind: 'bad', code, order, mandates };
}

/** The tokens in the data of a part, under the names that they are sent by. */
function tokensOf(data: JsonObject): string[] {
  const mandate = data['ap2.mandates.PaymentMandate'];
  const names = ['ap2.mandates.PaymentMandateSdJwt', 'ap2.mandates.CheckoutMandateSdJwt', 'ap2.checkout_mandate'];
  const found = [isObject(mandate) ? mandate.user_authorization : undefined, ...names.map((name) => data[name])];
  return found.flatMap((token) => textOf(token) ?? []);
}

/** What stands beside a token of 0.1 is what was signed with it. */
function isUnaltered(given: JsonObject, sent: JsonObject): boolean {
  const name = 'ap2.mandates.PaymentMandate';
  return canonicalText(given[name] ?? null) === canonicalText(sent[name] ?? null);
}

export function toVerdict(found: FoundMandate): MandateVerdict {
  const { order, mandates } = found;
  const ends = mandates.map(({ expiresAt }) => expiresAt.getTime());
  return {
    valid: found.kind === 'good',
    code: found.kind === 'bad' ? found.code : null,
    order: order && {
      id: order.id,
      state: order.state,
      cartId: order.cartId,
      amount: order.amount,
      currency: order.currency,
      claimed: mandates.some(({ claimedAt }) => claimedAt !== null),
      claimBy: new Date(Math.min(...ends)).toISOString(),
    },
  };
}
