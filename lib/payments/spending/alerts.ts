import { authorize } from '../../identity';
import { createCache } from '../../platform/cache';
import type { Call, Ctx } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { env } from '../../platform/runtime/env';
import type { MailText, Translation } from '../../texts/sent-texts';
import {
  ALERTS_CACHE_SIZE,
  LOW_BALANCE,
  MAX_LISTED_ALERTS,
  SPENDING_ALERT_RETENTION_MS,
  SPENDING_ALERT_SHARES,
} from '../limits';
import type { OrderRecord } from '../record';
import type { AutomaticEmails, EmailedAlert, SpendingAlert, SpendingAlerts } from '../schema-spending';
import { toAgentName } from '../sellers/agent-names';
import { findAlerts, findLatestAlert, findSeenAt, saveAutomaticEmails, saveSeenAt } from '../store/limits-and-alerts';
import type { LimitState } from './reserve';

/** The effect of an approval on a user's money. Amounts are minor units. */
export interface SpendingChange {
  order: Pick<OrderRecord, 'amount'>;
  /** The limits that apply, with their use before the order. */
  limits: LimitState[];
  /** Returns the name of the subject that a limit covers. */
  nameOf: (limit: LimitState) => Promise<string>;
  /** True for the first order of the user that is approved at this agent. */
  isFirstAtAgent: boolean;
  /** True if a standing approval pays the order. */
  isAutomatic: boolean;
  /** The number of payments of that standing approval in the preceding hour. */
  recentPayments: number;
  /** The wallet's balance before the payment; null if the wallet is not used. */
  balance: number | null;
}

/** Returns the alerts about an approval. */
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

/** Returns the alerts of the email about an approval. Names are omitted, because they can contain any text. */
export function emailedAlerts(alerts: SpendingAlert[]): EmailedAlert[] {
  return alerts
    .filter((alert) => alert.kind !== 'automatic')
    .map((alert) => (alert.kind === 'limit' ? { ...alert, name: '' } : alert));
}

/** Returns an alert as a sentence. */
export function alertText(alert: EmailedAlert, currency: string, { t }: Translation): string {
  const money = (minor: number): { currency: string; minor: number } => ({ currency, minor });
  switch (alert.kind) {
    case 'limit': {
      const { percent, scope, period, used, amount } = alert;
      return t('mail.spending.limit', { percent, scope, period, used: money(used), amount: money(amount) });
    }
    case 'low_balance':
      return t('mail.spending.low_balance', { left: money(alert.left) });
    case 'repeated':
      return t('mail.spending.repeated', { payments: alert.payments });
    case 'first_payment':
      return t('mail.spending.first_payment');
  }
}

/** Returns the email with these alerts. */
export function spendingEmail(
  { id, currency, amount }: Pick<OrderRecord, 'id' | 'currency' | 'amount'>,
  alerts: (EmailedAlert | string)[],
  texts: Translation,
): MailText {
  const sentences = alerts.map((alert) => (typeof alert === 'string' ? alert : alertText(alert, currency, texts)));
  const links = { order: `${env().APP_URL}/orders/${id}`, link: `${env().APP_URL}/settings/payments#limits` };
  return {
    subject: texts.t('mail.spending.subject', { amount: { currency, minor: amount } }),
    lines: [...sentences, '', ...texts.lines('mail.spending.details', links)],
  };
}

/**
 * Returns the highest alert share of a limit that the order reaches and the previous use did not; null if there is
 * none.
 */
function crossedShare({ period, amount, used }: LimitState, added: number): number | null {
  if (period === 'order' || amount === 0) return null;
  const crossed = SPENDING_ALERT_SHARES.filter((share) => used < share * amount && used + added >= share * amount);
  return crossed.at(-1) ?? null;
}

const latestAlerts = createCache({
  max: ALERTS_CACHE_SIZE,
  topic: 'spending',
  load: async (userId) => {
    const [latest, seenAt] = await Promise.all([findLatestAlert(userId), findSeenAt(userId)]);
    return { latest, seenAt };
  },
});

/** Returns true if the user has listed alerts that they have not seen. Cached. Requires no authorization. */
export async function hasNewAlerts(userId: string, now: Date): Promise<boolean> {
  const { latest, seenAt } = await latestAlerts.get(userId);
  return latest !== null && latest >= startOfList(now) && (seenAt === null || latest > seenAt);
}

function startOfList(now: Date): Date {
  return new Date(now.getTime() - SPENDING_ALERT_RETENTION_MS);
}

/**
 * Lists the user's spending alerts, newest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listSpendingAlerts({ ctx }: { ctx: Ctx }): Promise<SpendingAlerts> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const [alerts, seenAt] = await Promise.all([
    findAlerts(userId, startOfList(ctx.now), MAX_LISTED_ALERTS),
    findSeenAt(userId),
  ]);
  const agentIds = [...new Set(alerts.map(({ agentId }) => agentId))];
  const names = new Map(await Promise.all(agentIds.map(async (id) => [id, await toAgentName(id)] as const)));
  return {
    items: alerts.map(({ id, orderId, agentId, currency, total, alert, at }) => ({
      id,
      at: at.toISOString(),
      isNew: seenAt === null || at > seenAt,
      orderId,
      agent: names.get(agentId) ?? { slug: agentId, name: agentId },
      total: { currency, minor: total },
      alert,
    })),
  };
}

/**
 * Marks all alerts until a time as seen by the user.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens
 */
export async function setAlertsSeen({ ctx, input }: Call<{ until: string }>): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  const latest = await findLatestAlert(userId);
  if (!latest) return;
  const until = new Date(Math.min(Date.parse(input.until), latest.getTime()));
  await inTransaction((tx) => saveSeenAt(tx, userId, until));
  // The user's next page may be read before the notification arrives.
  latestAlerts.invalidate(userId);
}

/**
 * Sets the frequency of emails about automatic payments.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens
 */
export async function setAutomaticEmails({
  ctx,
  input: { emails },
}: Call<{ emails: AutomaticEmails }>): Promise<{ emails: AutomaticEmails }> {
  const { userId } = authorize(ctx.actor, 'session');
  await inTransaction((tx) => saveAutomaticEmails(tx, userId, emails));
  return { emails };
}
