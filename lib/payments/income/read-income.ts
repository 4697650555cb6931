import { z } from 'zod';
import { authorize } from '../../identity';
import type { Call, Ctx } from '../../platform/context';
import { cursorTime, defineCursor, readPages } from '../../platform/db/cursor';
import { viewOfAcceptance } from '../acceptance/acceptance-rules';
import { netOf } from '../earnings/earning-accounts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../limits';
import type { EarningRecord } from '../record';
import type { AcceptanceView } from '../schema-disputes';
import type { Earning, EarningFilter, EarningPage, HoldReason, Income, IncomeBalance } from '../schema-income';
import { agentIdOfFilter, toAgentName, toAgentNames } from '../sellers/agent-names';
import { findAcceptance, findAcceptances } from '../store/earnings/acceptance-rows';
import {
  findEarningAgents,
  findEarnings,
  findSellerBalances,
  type SellerHold,
  sumSellerHolds,
} from '../store/earnings/seller-income';

/** The holds that end by themselves. */
const timedHolds: readonly HoldReason[] = ['refund_window', 'new_seller', 'acceptance'];

/**
 * Returns the seller's money in each currency: what is available, pending, held and in transit, and when it becomes
 * available.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getIncome({ ctx }: { ctx: Ctx }): Promise<Income> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  const [accounts, holds] = await Promise.all([findSellerBalances(userId), sumSellerHolds(userId)]);
  const wallets = [...accounts, ...holds].map(({ currency, test }) => ({ currency, test }));
  const unique = new Map(wallets.map((wallet) => [`${wallet.test} ${wallet.currency}`, wallet]));
  const balances = [...unique.values()].map(({ currency, test }) => {
    const isSame = (row: { currency: string; test: boolean }): boolean =>
      row.currency === currency && row.test === test;
    const { available = 0, transit = 0 } = accounts.find(isSame) ?? {};
    return { currency, test, available, inTransit: transit, ...sumHolds(holds.filter(isSame)) };
  });
  return { balances: balances.sort(byCurrency) };
}

function sumHolds(holds: SellerHold[]): Pick<IncomeBalance, 'pending' | 'held' | 'holds' | 'next'> {
  const sumOf = (rows: SellerHold[]): number => rows.reduce((sum, { amount }) => sum + amount, 0);
  const pending = holds.filter(({ reason }) => reason === 'refund_window');
  const timed = holds.filter(({ reason }) => timedHolds.includes(reason));
  const [first] = timed;
  const dayOf = ({ endsAt }: SellerHold): string => endsAt.toISOString().slice(0, 10);
  const sameDay = first ? timed.filter((hold) => dayOf(hold) === dayOf(first)) : [];
  const last = sameDay.at(-1);
  return {
    pending: sumOf(pending),
    held: sumOf(holds) - sumOf(pending),
    holds: holds.map(({ reason, amount, sales, endsAt }) => ({ reason, amount, sales, endsAt: endsAt.toISOString() })),
    next: last ? { at: last.endsAt.toISOString(), amount: sumOf(sameDay) } : null,
  };
}

/** Real money before test credits. */
function byCurrency(a: IncomeBalance, b: IncomeBalance): number {
  return Number(a.test) - Number(b.test) || a.currency.localeCompare(b.currency, 'en');
}

/** The cursors of earnings, newest first. */
const earningCursor = defineCursor({
  list: 'earnings',
  position: z.object({ capturedAt: cursorTime, id: z.string().regex(/^ern_[0-9a-z]{1,30}$/) }),
});

/**
 * Lists what the seller gets of each sale, newest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `invalid_request` for an invalid cursor
 */
export async function listEarnings({ ctx, input }: Call<EarningFilter>): Promise<EarningPage> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  const { agent, cursor, limit = DEFAULT_PAGE_SIZE } = input;
  const agentId = await agentIdOfFilter(agent);
  const before = cursor ? earningCursor.decode(cursor) : null;
  const found = await findEarnings(userId, input, { agentId, before, limit: limit + 1 });
  const { rows, nextCursor } = earningCursor.pageOf(found, limit);
  const acceptances = await findAcceptances(rows.map(({ saleId }) => saleId));
  const viewOf = (earning: EarningRecord): Promise<Earning> =>
    toView(earning, viewOfAcceptance(acceptances.get(earning.saleId), ctx.now));
  return { items: await Promise.all(rows.map(viewOf)), nextCursor };
}

/**
 * Streams all of the seller's earnings that match the filter.
 * @throws {ParleyError} as {@link listEarnings}
 */
export function readEarnings({ ctx, input }: Call<EarningFilter>): AsyncGenerator<Earning> {
  return readPages((page) => listEarnings({ ctx, input: { ...input, ...page } }), MAX_PAGE_SIZE);
}

/**
 * Lists the agents with which the seller earned something, by name.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listEarningAgents({ ctx }: { ctx: Ctx }): Promise<Earning['agent'][]> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  return toAgentNames(await findEarningAgents(userId));
}

/** Returns the seller's view of an earning. */
export async function toEarning(earning: EarningRecord, now: Date): Promise<Earning> {
  return toView(earning, viewOfAcceptance(await findAcceptance(earning.saleKind, earning.saleId), now));
}

async function toView(earning: EarningRecord, acceptance: AcceptanceView | null): Promise<Earning> {
  const { id, saleKind: kind, saleId, currency, test, gross, tax, refunded, hold, releasedAt } = earning;
  const isHeld = releasedAt === null || hold === 'dispute';
  return {
    id,
    kind,
    saleId,
    agent: await toAgentName(earning.agentId),
    currency,
    test,
    gross,
    fee: earning.fee - earning.feeRefunded,
    tax,
    refunded,
    net: netOf(earning),
    state: stateOf(earning),
    hold: isHeld ? hold : null,
    capturedAt: earning.capturedAt.toISOString(),
    availableAt: ((isHeld ? null : releasedAt) ?? earning.availableAt).toISOString(),
    acceptance,
  };
}

function stateOf({ gross, refunded, releasedAt, hold }: EarningRecord): Earning['state'] {
  if (refunded === gross) return 'refunded';
  if (releasedAt !== null && hold !== 'dispute') return 'available';
  return hold === 'refund_window' ? 'pending' : 'held';
}
