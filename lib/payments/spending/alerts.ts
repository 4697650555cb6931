import { env } from '../../platform/env';
import { toMoneyText } from '../../protocol/ap2/money';
import { LOW_BALANCE, SPENDING_ALERT_SHARES } from '../limits';
import type { OrderRecord } from '../record';
import type { SpendingKey } from '../store/spending-limits';
import { type LimitState, periodTexts } from './reserve';

/** What an approval changes about a user's money. Amounts are minor units. */
export interface SpendingChange {
  order: Pick<OrderRecord, 'currency' | 'amount'>;
  /** The limits that apply, with their use before the order. */
  limits: LimitState[];
  /** True for the first order of the user that is approved at this agent. */
  isFirstAtAgent: boolean;
  /** The wallet's balance before; null when it is not used. */
  balance: number | null;
}

/** Sentences about what the user should know, in ASCII; none when there is nothing. */
export function describeAlerts({ order, limits, isFirstAtAgent, balance }: SpendingChange): string[] {
  const { currency, amount } = order;
  const money = (minor: number): string => toMoneyText({ currency, minor });
  const alerts = limits.flatMap((limit) => {
    const share = crossedShare(limit, amount);
    if (share === null) return [];
    const used = money(limit.used + amount);
    return [
      `${share * 100} % of the limit ${subjects[limit.scope]} is used: ${used} of ${money(limit.amount)} ${periodTexts[limit.period]}.`,
    ];
  });
  if (isFirstAtAgent) alerts.push('This is your first payment to this merchant.');
  if (balance !== null && balance >= amount && balance >= LOW_BALANCE && balance - amount < LOW_BALANCE) {
    alerts.push(`Your wallet is low: ${money(balance - amount)} is left.`);
  }
  return alerts;
}

/** The email with these sentences. */
export function spendingEmail(
  { id, currency, amount }: Pick<OrderRecord, 'id' | 'currency' | 'amount'>,
  alerts: string[],
): { subject: string; lines: string[] } {
  return {
    subject: `Spending: an order of ${toMoneyText({ currency, minor: amount })} was approved`,
    lines: [
      ...alerts,
      '',
      `Order: ${env().APP_URL}/orders/${id}`,
      '',
      'View and change your limits:',
      '',
      `${env().APP_URL}/settings/spending`,
    ],
  };
}

/** The highest alert share of a limit that the order reaches and the use before had not; null for none. */
function crossedShare({ period, amount, used }: LimitState, added: number): number | null {
  if (period === 'order' || amount === 0) return null;
  const crossed = SPENDING_ALERT_SHARES.filter((share) => used < share * amount && used + added >= share * amount);
  return crossed.at(-1) ?? null;
}

const subjects: Record<SpendingKey['scope'], string> = {
  account: 'of your account',
  agent: 'for this agent',
  token: 'of an access token',
  connection: 'of a connected app',
  chain: 'of a chain of agents',
};
