import { randomBytes } from 'node:crypto';
import {
  authorize,
  challengeOf,
  createAuthenticationOptions,
  isRecentlyAuthenticated,
  verifyAssertion,
} from '../../identity';
import { appendAudit, paymentDecided } from '../../observability';
import type { Call, Ctx, UserActor } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { sha256 } from '../../platform/secrets/crypto';
import { canonicalJson } from '../../protocol/jcs';
import { listPaymentMethods } from '../charges/wallet';
import { REVIEW_TTL_MS } from '../limits';
import type { OrderRecord } from '../record';
import type { OrderView } from '../schema';
import type { Approval, Approve, ReviewView } from '../schema-approvals';
import { isIn, unapprovedStates } from '../schema-states';
import { startCharge } from '../spending/charge';
import { previewSpending } from '../spending/reserve';
import {
  type ApprovalProof,
  consumeApproval,
  findOpenApproval,
  findPasskeyLimit,
  saveApproval,
} from '../store/approvals';
import { type IdempotentResponse, withIdempotencyKey } from '../store/idempotency-keys';
import { moveOrder } from '../store/move-order';
import { findOrder } from '../store/orders';
import { assertChecksPass, assertOpen, closedReason, loadOpenOrder, type OpenOrder, recheck } from './check-order';
import { loadOwnOrder, toOrderView } from './read-orders';

/**
 * Repeats all checks and returns the terms that the user is about to approve: payee, amount, payment methods and the
 * approval text. Charges nothing.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`, `conflict`; `cart_refused` with the check
 */
export async function reviewOrder({ ctx, input }: Call<{ id: string }>): Promise<ReviewView> {
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

/** Returns the passkey options; null for access tokens, because without a browser there is no authenticator. */
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
    order: await toOrderView(order, ctx.now),
    payee: { name: order.offer?.merchantName ?? agentName, issuer: order.issuer ?? '' },
    // The seller pays Parley's fee, and the buyer pays the cart's total.
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

type ApproveInput = Approve & { id: string; idempotencyKey: string | undefined };

/**
 * Approves the reviewed text and starts the charge. All checks are repeated in the transaction that stores approval,
 * evidence and charge. A repeated call with the same key returns the same response and charges once.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`; `idempotency_key_missing`,
 *   `idempotency_mismatch`, `idempotency_in_flight`; `conflict` if the review or order has ended; `amount_mismatch`;
 *   `passkey_required`, `passkey_refused`, `sign_in_again`; `spending_limit_exceeded`; `cart_refused` with the check
 */
export async function approveOrder({ ctx, input }: Call<ApproveInput>): Promise<IdempotentResponse> {
  const user = authorize(ctx.actor, { scope: 'pay' });
  const { idempotencyKey: key, ...body } = input;
  if (key === undefined) {
    throw new ParleyError(
      'idempotency_key_missing',
      'Send an Idempotency-Key, so that a repeated approval is charged only once.',
    );
  }
  const { assertion, ...plain } = body;
  const bodyHash = sha256(canonicalJson({ ...plain, assertion: JSON.stringify(assertion ?? null) }));
  return withIdempotencyKey({ userId: user.userId, key, bodyHash }, ctx.now, () => approve(ctx, user, input));
}

async function approve(ctx: Ctx, user: UserActor, input: ApproveInput): Promise<OrderView> {
  const open = await loadOpenOrder(ctx, input.id);
  const { order } = open;
  assertOpen(order);
  const approval = await findOpenApproval(input.approvalId, { orderId: order.id, at: ctx.now });
  if (!approval || order.state !== 'awaiting_approval') throw reviewOutdated();
  if (input.amount !== order.amount || input.currency !== order.currency) {
    throw new ParleyError('amount_mismatch', 'The amount is not the one you reviewed. Review the offer again.', {
      data: { expected: { amount: order.amount, currency: order.currency } },
    });
  }
  const proof = await proveIdentity(ctx, user, { input, order });
  const checks = await charge(ctx, open, { approval, proof, method: input.method }).catch(async (error: unknown) => {
    // A concurrent end or approval of the order is the more specific reason.
    const latest = await findOrder(user, order.id);
    if (latest) assertOpen(latest);
    throw error;
  });
  await assertChecksPass(order, checks, ctx.now);
  const approved = await findOrder(user, order.id);
  if (!approved) throw new Error('an order that was just approved is gone');
  return toOrderView(approved, ctx.now);
}

/**
 * Verifies the user's identity by the passkey's assertion or, up to the user's threshold, by a recent sign-in or an
 * access token.
 */
async function proveIdentity(
  ctx: Ctx,
  { userId, credential }: UserActor,
  { input, order }: { input: ApproveInput; order: OpenOrder['order'] },
): Promise<ApprovalProof> {
  if (input.assertion) {
    const { assertion: response, approvalId: purpose } = input;
    const assertion = await verifyAssertion({ userId, purpose, response, now: ctx.now });
    return { method: 'passkey', credentialId: credential.id, assertion };
  }
  const limit = await findPasskeyLimit(userId);
  if (limit !== null && order.amount > limit) {
    throw new ParleyError('passkey_required', 'This amount is above your payment limit. Confirm with a passkey.');
  }
  if (credential.kind === 'session' && !(await isRecentlyAuthenticated({ ctx }))) {
    throw new ParleyError('sign_in_again', 'Paying requires a sign-in from the last 15 minutes. Sign in again to pay.');
  }
  return { method: 'session', credentialId: credential.id, assertion: null };
}

/** Repeats the checks and, if all pass, stores approval, charge and audit entry in the same transaction. */
function charge(
  ctx: Ctx,
  open: OpenOrder,
  {
    approval,
    proof,
    method,
  }: { approval: Parameters<typeof consumeApproval>[1]; proof: ApprovalProof; method: Approve['method'] },
): ReturnType<typeof recheck> {
  const { order } = open;
  const { now: at } = ctx;
  return inTransaction(async (tx) => {
    const checks = await recheck(tx, open, at);
    if (checks.some(({ ok }) => !ok)) return checks;
    if (!(await consumeApproval(tx, approval, { proof, at }))) throw reviewOutdated();
    if (!(await startCharge(tx, { order, method, credentialId: proof.credentialId, at }))) throw reviewOutdated();
    const { userId, id } = order;
    await appendAudit(tx, paymentDecided(ctx, { userId, id, decision: 'approved', detail: proof.method }));
    return checks;
  });
}

function reviewOutdated(): ParleyError {
  return new ParleyError('conflict', 'The offer has changed since you reviewed it. Review it again.');
}

/**
 * Declines an offer and notifies the agent on the task, if the task is open. Idempotent.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` (also for other users' orders); `conflict`
 *   with the reason if the order was approved or has ended in another way
 */
export async function declineOrder({ ctx, input }: Call<{ id: string }>): Promise<OrderView> {
  const { userId, credential } = authorize(ctx.actor, { scope: 'pay' });
  const order = await loadOwnOrder(ctx, input.id);
  const { id, state: from, version, code } = order;
  if (from === 'canceled' && code === 'declined_by_buyer') return toOrderView(order, ctx.now);
  const moved =
    isIn(order, unapprovedStates) &&
    (await inTransaction(async (tx) => {
      const payload = { event: 'declined', credentialId: credential.id };
      const outbox = [{ kind: 'announce' as const, dueAt: ctx.now, payload }];
      const step = { id, from, version, to: 'canceled', code: 'declined_by_buyer', at: ctx.now, outbox } as const;
      if (!(await moveOrder(tx, step))) return false;
      await appendAudit(tx, paymentDecided(ctx, { userId, id, decision: 'declined' }));
      return true;
    }));
  const latest = await findOrder({ userId }, id);
  if (!moved || !latest) {
    throw new ParleyError('conflict', closedReason(latest ?? order), {
      data: { state: latest?.state ?? from, check: latest?.code ?? code },
    });
  }
  return toOrderView(latest, ctx.now);
}
