import { authorize } from '../../identity';
import type { Call, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { log } from '../../platform/runtime/log';
import { type Statement, type Statements, statementPeriod } from '../schema-payouts';
import { findDifferences, findFirstSale, sumMovements } from '../store/papers/statement-rows';
import { toBalances } from './statement-lines';

/**
 * Lists the months and years of the user's statements, from the first sale until now, newest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listStatements({ ctx }: { ctx: Ctx }): Promise<Statements> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  const first = await findFirstSale(userId);
  const months: string[] = [];
  for (let at = first && monthOf(first); at && at <= ctx.now; at = nextMonth(at))
    months.push(at.toISOString().slice(0, 7));
  const years = [...new Set(months.map((month) => month.slice(0, 4)))];
  return { months: months.reverse(), years: years.reverse() };
}

/**
 * Returns the user's statement of a month or year (UTC), computed from the ledger.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` for another text, or before it begins
 */
export async function getStatement({ ctx, input: { period } }: Call<{ period: string }>): Promise<Statement> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  const range = rangeOf(period);
  if (!range || range.from > ctx.now) throw new ParleyError('not_found', 'There is no statement of this period.');
  const [movements, differences] = await Promise.all([sumMovements(userId, range), findDifferences(userId)]);
  if (differences.length > 0)
    log.error('payments.statement_differs', { sellerId: userId, differences: JSON.stringify(differences) });
  return {
    period,
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    isComplete: range.to <= ctx.now,
    reconciled: differences.length === 0,
    balances: toBalances(movements),
  };
}

function rangeOf(period: string): { from: Date; to: Date } | null {
  if (!statementPeriod.safeParse(period).success) return null;
  const isYear = period.length === 4;
  const from = new Date(`${isYear ? `${period}-01` : period}-01T00:00:00Z`);
  const to = isYear ? new Date(Date.UTC(from.getUTCFullYear() + 1, 0, 1)) : nextMonth(from);
  return { from, to };
}

function monthOf(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
}

function nextMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
}
