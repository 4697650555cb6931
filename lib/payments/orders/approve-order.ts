import { authorize, isRecentlyAuthenticated, verifyAssertion } from '../../identity';
import { appendAudit, paymentDecided } from '../../observability';
import type { Ctx, UserActor } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { sha256 } from '../../platform/secrets/crypto';
import { canonicalJson } from '../../protocol/jcs';
import { startCharge } from '../charges/charge';
import type { OrderView } from '../schema';
import type { Approve } from '../schema-approvals';
import { type ApprovalProof, consumeApproval, findOpenApproval, findPasskeyLimit } from '../store/approvals';
import { type IdempotentResponse, withIdempotencyKey } from '../store/idempotency-keys';
import { findOrder } from '../store/orders';
import { assertChecksPass, assertOpen, loadOpenOrder, type OpenOrder, recheck } from './load-open-order';
import { toOrderView } from './order-view';

type ApproveInput = Approve & { id: string; idempotencyKey: string | undefined };

/**
 * Approves the reviewed text and starts the charge. All checks are repeated in the transaction that stores approval,
 * evidence and charge. A repeated call with the same key returns the same response and charges once.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`; `idempotency_key_missing`,
 *   `idempotency_mismatch`, `idempotency_in_flight`; `conflict` when review or order has ended; `amount_mismatch`;
 *   `passkey_required`, `passkey_refused`, `sign_in_again`; `spending_limit_exceeded`; `cart_refused` with the check
 */
export async function approveOrder({ ctx, input }: { ctx: Ctx; input: ApproveInput }): Promise<IdempotentResponse> {
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
    // A concurrent end or approval of the order is the better reason.
    const latest = await findOrder(user, order.id);
    if (latest) assertOpen(latest);
    throw error;
  });
  await assertChecksPass(order, checks, ctx.now);
  const approved = await findOrder(user, order.id);
  if (!approved) throw new Error('an order that was just approved is gone');
  return toOrderView(approved);
}

/**
 * Verifies the identity by the passkey's assertion; else, up to the user's threshold, by a recent sign-in or an access
 * token.
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

/** Repeats the checks and, when all pass, stores approval, charge and audit entry in the same transaction. */
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
