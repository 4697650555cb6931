import { authorize } from '../../identity';
import { createCache } from '../../platform/cache';
import type { Ctx } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { ALERTS_CACHE_SIZE, MAX_LISTED_ALERTS, SPENDING_ALERT_RETENTION_MS } from '../limits';
import { toAgentName } from '../orders/order-view';
import type { AutomaticEmails, SpendingAlerts } from '../schema-spending-alerts';
import { findAlerts, findLatestAlert, findSeenAt, saveAutomaticEmails, saveSeenAt } from '../store/spending-alerts';

const latestAlerts = createCache({
  max: ALERTS_CACHE_SIZE,
  topic: 'spending',
  load: async (userId) => {
    const [latest, seenAt] = await Promise.all([findLatestAlert(userId), findSeenAt(userId)]);
    return { latest, seenAt };
  },
});

/** True when the user has listed alerts that they have not seen. Cached. Requires no authorization. */
export async function hasNewAlerts(userId: string, now: Date): Promise<boolean> {
  const { latest, seenAt } = await latestAlerts.get(userId);
  return latest !== null && latest >= startOfList(now) && (seenAt === null || latest > seenAt);
}

function startOfList(now: Date): Date {
  return new Date(now.getTime() - SPENDING_ALERT_RETENTION_MS);
}

/**
 * The user's spending alerts, newest first.
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
export async function setAlertsSeen({ ctx, input }: { ctx: Ctx; input: { until: string } }): Promise<void> {
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
}: {
  ctx: Ctx;
  input: { emails: AutomaticEmails };
}): Promise<{ emails: AutomaticEmails }> {
  const { userId } = authorize(ctx.actor, 'session');
  await inTransaction((tx) => saveAutomaticEmails(tx, userId, emails));
  return { emails };
}
