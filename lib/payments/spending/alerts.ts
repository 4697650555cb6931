import { env } from '../../platform/runtime/env';
import { toMoneyText } from '../../protocol/ap2/money';
import { LOW_BALANCE, SPENDING_ALERT_SHARES } from '../limits';
import type { OrderRecord } from '../record';
import type { SpendingAlert } from '../schema-spending-alerts';
import type { SpendingKey } from '../store/spending-limits';
import { type LimitState, periodTexts } from './reserve';

/** The effect of an approval on a user's money. Amounts are minor units. */
export interface SpendingChange {
  order: Pick<OrderRecord, 'amount'>;
  /** The limits that apply, with their use before the order. */
  limits: LimitState[];
  /** The name of the subject that a limit covers. */
  nameOf: (limit: LimitState) => Promise<string>;
  /** True for the first order of the user that is approved at this agent. */
  isFirstAtAgent: boolean;
  /** True when a standing approval pays the order. */
  isAutomatic: boolean;
  /** The payments of that standing approval in the hour before. */
  recentPayments: number;
  /** The wallet's balance before the payment; null if the wallet is not used. */
  balance: number | null;
}

/** The alerts about an approval. */
export async function alertsOf(change: SpendingChange): Promise<SpendingAlert[]> {
  const { order, limits, nameOf, isFirstAtAgent, isAutomatic, recentPayments, balance } = change;
  const { amount } = order;
  const alerts: SpendingAlert[] = [];
  for (const limit of limits) {
    const share = crossedShare(limit, amount);
    if (share === null) continue;
    const { scope, period } = limit;
    const use = { used: limit.used + amount, amount: limit.amount };
    alerts.push({ kind: 'limit', percent: share * 100, scope, name: await nameOf(limit), period, ...use });
  }
  if (isFirstAtAgent) alerts.push({ kind: 'first_payment' });
  if (balance !== null && balance >= amount && balance >= LOW_BALANCE && balance - amount < LOW_BALANCE) {
    alerts.push({ kind: 'low_balance', left: balance - amount });
  }
  if (isAutomatic) alerts.push({ kind: 'automatic' });
  if (isAutomatic && recentPayments > 0) alerts.push({ kind: 'repeated', payments: recentPayments + 1 });
  return alerts;
}

/**
 * The sentences of the email about an approval, in ASCII. Automatic payments have a separate email. Names are omitted,
 * because they can contain any text.
 */
export function alertTexts(alerts: SpendingAlert[], currency: string): string[] {
  return alerts.flatMap((alert) => (alert.kind === 'automatic' ? [] : alertText(alert, currency)));
}

function alertText(alert: Exclude<SpendingAlert, { kind: 'automatic' }>, currency: string): string {
  const money = (minor: number): string => toMoneyText({ currency, minor });
  switch (alert.kind) {
    case 'limit': {
      const { percent, scope, period, used, amount } = alert;
      const of = `${money(used)} of ${money(amount)} ${periodTexts[period]}`;
      return `You have used ${percent}% of the limit ${subjects[scope]}: ${of}.`;
    }
    case 'first_payment':
      return 'This is your first payment to this merchant.';
    case 'low_balance':
      return `Your wallet balance is low: ${money(alert.left)}.`;
    case 'repeated':
      return `A standing approval has paid ${alert.payments} times within an hour. If you did not ask for this, stop automatic payments.`;
  }
}

/** The email with these sentences. */
export function spendingEmail(
  { id, currency, amount }: Pick<OrderRecord, 'id' | 'currency' | 'amount'>,
  sentences: string[],
): { subject: string; lines: string[] } {
  return {
    subject: `Spending: an order of ${toMoneyText({ currency, minor: amount })} was approved`,
    lines: [
      ...sentences,
      '',
      `Order: ${env().APP_URL}/orders/${id}`,
      '',
      'View and change your limits:',
      '',
      `${env().APP_URL}/settings/spending`,
    ],
  };
}

/** The highest alert share of a limit that the order reaches and the previous use did not; null if there is none. */
function crossedShare({ period, amount, used }: LimitState, added: number): number | null {
  if (period === 'order' || amount === 0) return null;
  const crossed = SPENDING_ALERT_SHARES.filter((share) => used < share * amount && used + added >= share * amount);
  return crossed.at(-1) ?? null;
}

const subjects: Record<SpendingKey['scope'], string> = {
  account: 'for your account',
  agent: 'for this agent',
  token: 'for an access token',
  connection: 'for a connected app',
  chain: 'for one task',
};
