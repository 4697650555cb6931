import { z } from 'zod';
import { authorize } from '../../identity';
import { consume } from '../../limits';
import type { Call } from '../../platform/context';
import { cursorText, cursorTime, defineCursor } from '../../platform/db/cursor';
import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { currentRail } from '../charges/stripe-mode';
import { DEFAULT_PAGE_SIZE, MIN_PAYOUT } from '../limits';
import { PAYOUT_LIMIT } from '../rate-limits';
import type { PayoutRecord } from '../record';
import type { PayoutFilter, PayoutPage, PayoutRequest, PayoutView } from '../schema-payouts';
import { findPayoutOf, findPayouts, movePayout } from '../store/payouts/payout-rows';
import { lockSellerAccount } from '../store/payouts/seller-rows';
import { payOutAvailable } from './create-payouts';
import { applyEvent } from './payout-machine';

const payoutCursor = defineCursor({
  list: 'payouts',
  position: z.object({ createdAt: cursorTime, id: cursorText(40) }),
});

/**
 * Lists the user's payouts, newest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `invalid_request` for an invalid cursor
 */
export async function listPayouts({ ctx, input }: Call<PayoutFilter>): Promise<PayoutPage> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  const { cursor, limit = DEFAULT_PAGE_SIZE } = input;
  const before = cursor ? payoutCursor.decode(cursor) : null;
  const { rows, nextCursor } = payoutCursor.pageOf(await findPayouts(userId, { before, limit: limit + 1 }), limit);
  return { items: rows.map((payout) => toPayoutView(payout, ctx.now)), nextCursor };
}

/**
 * Creates a payout of all that is available in a currency.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`; `conflict` if the user cannot be paid
 *   out yet, or less than the minimum is available
 */
export async function requestPayout({ ctx, input }: Call<PayoutRequest>): Promise<PayoutView> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:write' });
  const { currency } = input;
  await consume(PAYOUT_LIMIT, userId, ctx.now);
  const payout = await inTransaction(async (tx) => {
    const account = await lockSellerAccount(tx, { userId, rail: currentRail() }, ctx.now);
    if (!account.payoutsEnabled) throw notEnabled();
    const terms = { cause: 'request' as const, minimum: account.leftAt === null ? MIN_PAYOUT : 1, currency };
    const [created] = await payOutAvailable(tx, account, { terms, at: ctx.now });
    if (created) return created;
    const message = `Less than ${terms.minimum} minor units of ${currency} are available, so there is nothing to pay out.`;
    throw new ParleyError('conflict', message, { data: { minimum: terms.minimum } });
  });
  return toPayoutView(payout, ctx.now);
}

/**
 * Cancels the user's own payout before its money has left, which is available again.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` (also for other users' payouts);
 *   `conflict` if its money has left
 */
export async function cancelPayout({ ctx, input }: Call<{ id: string }>): Promise<PayoutView> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:write' });
  const payout = await findPayoutOf(userId, input.id);
  if (!payout) throw new ParleyError('not_found', 'Payout not found.');
  const change = applyEvent(payout, { kind: 'canceled' }, ctx.now);
  const isCanceled = change !== null && (await inTransaction((tx) => movePayout(tx, payout, { change, at: ctx.now })));
  if (!isCanceled) {
    throw new ParleyError('conflict', 'The money of this payout has already left, or the payout has ended.');
  }
  return toPayoutView({ ...payout, ...change.set, state: change.to }, ctx.now);
}

/** Returns the error for a payout before the seller's details are complete. */
export function notEnabled(): ParleyError {
  return new ParleyError('conflict', 'Payouts are not set up, or details are missing. Complete them first.');
}

function toPayoutView(payout: PayoutRecord, now: Date): PayoutView {
  const { id, currency, amount, test, cause, state, code, reason, arrivesAt, endedAt, createdAt } = payout;
  const until = new Date(createdAt.getTime() + env().PAYOUT_CANCEL_SECONDS * 1_000);
  return {
    id,
    currency,
    amount,
    test,
    cause,
    state,
    code,
    reason,
    cancelableUntil: state === 'created' && until > now ? until.toISOString() : null,
    arrivesAt: arrivesAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
