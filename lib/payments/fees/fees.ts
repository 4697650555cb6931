import { createCache } from '../../platform/cache';
import type { Ctx } from '../../platform/context';
import { inTransaction, lockName, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { DAY_MS } from '../../platform/time';
import { minorUnitDigits, walletCurrencies } from '../../protocol/ap2/money';
import { FEE_NOTICE_MS, MAX_FEE_BASIS_POINTS, MAX_FIXED_FEE } from '../limits';
import type { ScheduledFee } from '../record';
import { type CurrencyFee, type Fees, type FeeTerms, feeFor } from '../schema-income';
import { ALL_FEES, findFeeSchedules, hasSalesIn, insertFeeSchedule } from '../store/earnings/fee-schedules';
import { earliestStart, scheduleAfter, scheduleAt } from './fee-rules';

const schedules = createCache({ max: 1, topic: 'fees', load: () => findFeeSchedules() });

/**
 * Returns Parley's fee for a sale that is authorized at a time, minor units, at most the amount. The seller pays it. A
 * change of the schedule is seen by every node within a second. In a transaction, `tx` reads what is not cached.
 */
export async function feeOf(
  { currency, amount, at }: { currency: string; amount: number; at: Date },
  tx?: Tx,
): Promise<number> {
  const known = schedules.peek(ALL_FEES) ?? (tx ? await findFeeSchedules(tx) : await schedules.get(ALL_FEES));
  return feeFor(amount, termsAt(known, currency, at));
}

/** Returns the fee in force for sales in a currency that are authorized at a time. */
export async function feeTermsOf(currency: string, at: Date): Promise<FeeTerms> {
  return termsAt(schedules.peek(ALL_FEES) ?? (await schedules.get(ALL_FEES)), currency, at);
}

/** Returns the fees of all currencies, and the next changes. For everyone. */
export async function listFees({ ctx: { now } }: { ctx: Pick<Ctx, 'now'> }): Promise<Fees> {
  const known = await schedules.get(ALL_FEES);
  const currencies = new Set([...walletCurrencies, ...known.map(({ currency }) => currency)]);
  return {
    items: [...currencies].map((currency) => toCurrencyFee(known, currency, now)),
    others: defaultTerms(),
    noticeDays: FEE_NOTICE_MS / DAY_MS,
  };
}

function toCurrencyFee(known: ScheduledFee[], currency: string, now: Date): CurrencyFee {
  const next = scheduleAfter(known, currency, now);
  return {
    currency,
    fee: termsAt(known, currency, now),
    since: scheduleAt(known, currency, now)?.effectiveFrom.toISOString() ?? null,
    next: next && { ...termsOf(next), from: next.effectiveFrom.toISOString() },
  };
}

function termsAt(known: ScheduledFee[], currency: string, at: Date): FeeTerms {
  const schedule = scheduleAt(known, currency, at);
  return schedule ? termsOf(schedule) : defaultTerms();
}

function termsOf({ basisPoints, fixed }: FeeTerms): FeeTerms {
  return { basisPoints, fixed };
}

/** The fee of a currency without a schedule. */
function defaultTerms(): FeeTerms {
  return { basisPoints: env().PLATFORM_FEE_BPS, fixed: 0 };
}

/** A new fee; `from` is the time at which it begins, by default now. */
interface NewFee extends FeeTerms {
  currency: string;
  from?: Date | undefined;
}

/**
 * Sets the fee of sales in a currency from a time. For the operator. Sales that are authorized before keep their fee.
 * @throws {ParleyError} `invalid_request` for another currency or amount, a time in the past, or a higher fee without
 *   30 days' notice
 */
export async function setFee({ currency, from, ...terms }: NewFee, now: Date): Promise<ScheduledFee> {
  requireTerms(currency, terms);
  return inTransaction(async (tx) => {
    await lockName(tx, `fees ${currency}`);
    const known = await findFeeSchedules(tx);
    const effectiveFrom = from ?? now;
    const announced = termsAt(known, currency, effectiveFrom);
    const earliest = earliestStart({ terms, announced, hasSales: await hasSalesIn(tx, currency), now });
    if (effectiveFrom < earliest) throw tooEarly(effectiveFrom, { earliest, now });
    const schedule = { currency, ...termsOf(terms), effectiveFrom, createdAt: now };
    await insertFeeSchedule(tx, schedule);
    return schedule;
  });
}

function requireTerms(currency: string, { basisPoints, fixed }: FeeTerms): void {
  const isWithin = (value: number, most: number): boolean => Number.isInteger(value) && value >= 0 && value <= most;
  if (minorUnitDigits(currency) === null)
    throw new ParleyError('invalid_request', `found the currency "${currency}"; expected a code such as EUR`);
  if (!isWithin(basisPoints, MAX_FEE_BASIS_POINTS))
    throw new ParleyError(
      'invalid_request',
      `found ${basisPoints} basis points; expected an integer from 0 to ${MAX_FEE_BASIS_POINTS}`,
    );
  if (!isWithin(fixed, MAX_FIXED_FEE))
    throw new ParleyError(
      'invalid_request',
      `found a fixed part of ${fixed}; expected an integer of minor units from 0 to ${MAX_FIXED_FEE}`,
    );
}

function tooEarly(found: Date, { earliest, now }: { earliest: Date; now: Date }): ParleyError {
  const why = earliest > now ? 'a higher fee is announced 30 days before it begins' : 'no fee begins in the past';
  const text = `found ${found.toISOString()} as the begin; expected ${earliest.toISOString()} or later, because ${why}`;
  return new ParleyError('invalid_request', text);
}
