import { randomBytes } from 'node:crypto';
import { authorize, challengeOf, createAuthenticationOptions, isRecentlyAuthenticated } from '../../identity';
import type { Ctx, UserActor } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { canonicalJson } from '../../protocol/jcs';
import { listPaymentMethods } from '../charges/wallet';
import { REVIEW_TTL_MS } from '../limits';
import type { OrderRecord } from '../record';
import type { Approval, ReviewView } from '../schema-approvals';
import { previewSpending } from '../spending/reserve';
import { findPasskeyLimit, saveApproval } from '../store/approvals';
import { moveOrder } from '../store/move-order';
import { findOrder } from '../store/orders';
import { assertChecksPass, assertOpen, loadOpenOrder, type OpenOrder, recheck } from './load-open-order';
import { toOrderView } from './order-view';

/**
 * Repeats all checks and returns the terms that the user is about to approve: payee, amount, payment methods and the
 * approval text. Charges nothing.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`, `conflict`; `cart_refused` with the check
 */
export async function reviewOrder({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<ReviewView> {
  const user = authorize(ctx.actor, { scope: 'pay' });
  const open = await loadOpenOrder(ctx, input.id);
  assertOpen(open.order);
  const approval = approvalOf(open, ctx.now);
  const draft = { id: newId('apv'), orderId: open.order.id, text: canonicalJson({ ...approval }) };
  const expiresAt = new Date(approval.expires_at);
  const checks = await inTransaction(async (tx) => {
    const found = await recheck(tx, open, ctx.now);
    if (found.some(({ ok }) => !ok)) return found;
    await beginReview(tx, open.order, ctx.now);
    await saveApproval(tx, { ...draft, expiresAt }, { credentialId: user.credential.id, at: ctx.now });
    return found;
  });
  await assertChecksPass(open.order, checks, ctx.now);
  const order = await findOrder(user, open.order.id);
  if (!order) throw new Error('an order that was just reviewed is gone');
  const passkey = await passkeyOptionsFor(user, draft, { expiresAt, now: ctx.now });
  const shown = { approval, approvalId: draft.id, passkey, credentialId: user.credential.id };
  return toReview(ctx, { ...shown, order, agentName: open.agent?.name ?? '' });
}

function approvalOf({ order, agent }: OpenOrder, now: Date): Approval {
  const latest = now.getTime() + REVIEW_TTL_MS;
  const expiresAtMs = Math.min(latest, order.expiresAt?.getTime() ?? latest);
  return {
    v: 1,
    order_id: order.id,
    user_id: order.userId,
    agent_id: order.agentId,
    context_id: order.contextId,
    cart_hash: order.cartHash,
    amount: order.amount,
    currency: order.currency,
    payee: order.offer?.merchantName ?? agent?.name ?? order.agentId,
    nonce: randomBytes(16).toString('base64url'),
    expires_at: new Date(expiresAtMs).toISOString(),
  };
}

async function beginReview(tx: Parameters<typeof moveOrder>[0], order: OrderRecord, at: Date): Promise<void> {
  if (order.state !== 'verified') return;
  const { id, version } = order;
  if (await moveOrder(tx, { id, from: 'verified', version, to: 'awaiting_approval', at })) return;
  throw new ParleyError('conflict', 'The offer changed while you were reviewing it. Review it again.');
}

/** Null for access tokens: without a browser there is no authenticator. */
function passkeyOptionsFor(
  { userId, credential }: UserActor,
  approval: { id: string; text: string },
  { expiresAt, now }: { expiresAt: Date; now: Date },
): Promise<Record<string, unknown> | null> {
  if (credential.kind !== 'session') return Promise.resolve(null);
  const challenge = challengeOf(approval.text);
  return createAuthenticationOptions({ userId, purpose: approval.id, challenge, expiresAt }, now);
}

async function toReview(
  ctx: Ctx,
  found: Pick<ReviewView, 'approval' | 'approvalId' | 'passkey'> & {
    order: OrderRecord;
    agentName: string;
    credentialId: string;
  },
): Promise<ReviewView> {
  const { order, agentName, approval, approvalId, passkey, credentialId } = found;
  const { userId, amount: minor, currency } = order;
  const limit = await findPasskeyLimit(userId);
  const bySession = ctx.actor.kind === 'user' && ctx.actor.credential.kind === 'session';
  return {
    order: await toOrderView(order),
    payee: { name: order.offer?.merchantName ?? agentName, issuer: order.issuer ?? '' },
    // The seller pays Parley's fee; the buyer pays the cart's total.
    fee: { currency, minor: 0 },
    approval,
    approvalId,
    methods: await listPaymentMethods({ userId, currency, minor }, ctx.now),
    passkey,
    passkeyRequired: limit !== null && minor > limit,
    signInAgain: bySession && !(await isRecentlyAuthenticated({ ctx })),
    spending: await inTransaction((tx) => previewSpending(tx, { order, credentialId, now: ctx.now })),
  };
}
