import { canonicalText, hashText } from '@parley/agent/ap2';
import type { AgentRecord } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { isObject, type JsonObject, nonEmptyString } from '../../protocol/json';
import { requireOwnListing } from '../merchants/require-own-listing';
import type { OrderRecord } from '../record';
import type { MandateVerdict } from '../schema';
import { findMandates, findOrderOfMandate, type StoredMandate } from '../store/mandates';
import { findOrderById } from '../store/orders';

interface MandateInput {
  agent: string;
  /** The data of the part that it came in, as it was received. */
  mandate: JsonObject;
}

/** What there is to a mandate: its order while it pays, or why it does not. */
export type ResolvedMandate =
  | { kind: 'good'; order: OrderRecord; mandates: StoredMandate[] }
  | { kind: 'bad'; code: string; order: OrderRecord | null; mandates: StoredMandate[] };

/**
 * Tells an agent's own app whether a mandate that it got is ours, unaltered, for this agent, in time, and its money held.
 * Everything else is one `valid: false` with the reason; mandates of others are unknown ones.
 * @throws {ParleyError} `invalid_client`, `not_found`
 */
export async function verifyMandate({ ctx, input }: { ctx: Ctx; input: MandateInput }): Promise<MandateVerdict> {
  const agent = await requireOwnListing(ctx.actor, input.agent);
  return toVerdict(await resolveMandate(input.mandate, { agent, now: ctx.now }));
}

/** The order of a mandate. We know every one that we signed, so the very text decides, and not only its signature. */
export async function resolveMandate(
  given: JsonObject,
  { agent, now }: { agent: AgentRecord; now: Date },
): Promise<ResolvedMandate> {
  const tokens = tokensOf(given);
  const [first] = tokens;
  const orderId = first === undefined ? null : await findOrderOfMandate(await hashText(first));
  const order = orderId === null ? null : await findOrderById(orderId);
  const stored = order && (await findMandates(order.id));
  if (!order || !stored || order.agentId !== agent.id) return invalidMandate('unknown_mandate', null, []);
  const { mandates, data } = stored;
  if (!isUnaltered(given, data) || tokens.some((token) => !mandates.some((mandate) => mandate.token === token))) {
    return invalidMandate('altered_mandate', null, []);
  }
  if (mandates.some(({ expiresAt }) => expiresAt <= now)) return invalidMandate('mandate_expired', order, mandates);
  if (order.state !== 'authorized' && order.state !== 'mandate_delivered')
    return invalidMandate('not_held', order, mandates);
  return { kind: 'good', order, mandates };
}

function invalidMandate(code: string, order: OrderRecord | null, mandates: StoredMandate[]): ResolvedMandate {
  return { kind: 'bad', code, order, mandates };
}

/** The tokens in the data of a part, under the names that they are sent by. */
function tokensOf(data: JsonObject): string[] {
  const mandate = data['ap2.mandates.PaymentMandate'];
  const names = ['ap2.mandates.PaymentMandateSdJwt', 'ap2.mandates.CheckoutMandateSdJwt', 'ap2.checkout_mandate'];
  const found = [isObject(mandate) ? mandate.user_authorization : undefined, ...names.map((name) => data[name])];
  return found.flatMap((token) => nonEmptyString(token) ?? []);
}

/** What stands beside a token of 0.1 is what was signed with it. */
function isUnaltered(given: JsonObject, sent: JsonObject): boolean {
  const name = 'ap2.mandates.PaymentMandate';
  return canonicalText(given[name] ?? null) === canonicalText(sent[name] ?? null);
}

export function toVerdict(found: ResolvedMandate): MandateVerdict {
  const { order, mandates } = found;
  const expiries = mandates.map(({ expiresAt }) => expiresAt.getTime());
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
      claimBy: new Date(Math.min(...expiries)).toISOString(),
    },
  };
}
