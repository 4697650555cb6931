import { findActiveSession } from '../identity';
import { createRest, wakeWork } from '../platform/runtime/activity';
import { failpoint } from '../platform/runtime/failpoint';
import { errorFields, log } from '../platform/runtime/log';
import { once } from '../platform/runtime/once';
import { createWorker, type Worker } from '../platform/runtime/worker';
import {
  DELIVERY_POLL_MS,
  DELIVERY_RETENTION_MS,
  LATE_SWEEP_INTERVAL_MS,
  LATE_SWEEP_OVERLAP_MS,
  MAX_SEND_ATTEMPTS,
  MESSAGE_TTL_MS,
  RETRY_INITIAL_MS,
  RETRY_MAX_MS,
  SEEN_GRACE_MS,
  SEND_CONCURRENCY,
  SEND_LEASE_MS,
  STOP_TIMEOUT_MS,
  SWEEP_OVERLAP_MS,
} from './limits';
import { messageOf } from './message';
import { endOfQuietHours } from './quiet-hours';
import { sendMessage } from './send-message';
import {
  claimDeliveries,
  type Delivery,
  type DeliveryKey,
  type DeliveryOutcome,
  deleteFinishedDeliveries,
  finishDelivery,
  nextDelivery,
  postponeDelivery,
  selectDelivery,
} from './store/delivery-rows';
import { deleteEndedDevice, unsealSubscription } from './store/device-rows';
import { insertNewDeliveries } from './store/new-events';

const WORK_NAME = 'web-push';

const deliveryWorker = once((): Worker => {
  const rest = createRest({ name: WORK_NAME, nextDue: nextDelivery });
  return createWorker<DeliveryKey>({
    concurrency: SEND_CONCURRENCY,
    pollMs: DELIVERY_POLL_MS,
    claim: async (limit) => {
      const now = new Date();
      if (!(await rest.isRoundDue())) return [];
      return claimDeliveries(now, new Date(now.getTime() + SEND_LEASE_MS), limit);
    },
    run: (key, signal) => deliver(key, signal).finally(rest.wake),
    subscribe: () => [],
    onError: (error) => log.warn('web_push.delivery_failed', errorFields(error)),
  });
});

/** Starts sending messages from this node. Leases prevent other nodes from sending the same messages. */
export function startWebPush(): void {
  deliveryWorker().start();
}

/** Stops sending. After the lease of a message in progress, another node sends it. */
export function stopWebPush(): Promise<void> {
  return deliveryWorker().stop(STOP_TIMEOUT_MS);
}

/** The time of this node's last sweep with the long overlap, milliseconds since 1970. */
let lateSweepAt = 0;

/** Turns new events into deliveries. Returns their number. */
export async function sweepEvents(now: Date): Promise<number> {
  const isLate = Math.abs(now.getTime() - lateSweepAt) >= LATE_SWEEP_INTERVAL_MS;
  const count = await insertNewDeliveries(now, isLate ? LATE_SWEEP_OVERLAP_MS : SWEEP_OVERLAP_MS);
  if (isLate) lateSweepAt = now.getTime();
  if (count > 0) wakeAt(new Date(now.getTime() + SEEN_GRACE_MS));
  return count;
}

function wakeAt(dueAt: Date): void {
  wakeWork(WORK_NAME);
  deliveryWorker().wake(dueAt);
}

/** Deletes outdated deliveries. */
export async function pruneWebPush(now: Date): Promise<void> {
  await deleteFinishedDeliveries(new Date(now.getTime() - DELIVERY_RETENTION_MS));
}

/** Sends a claimed delivery, postpones it, or finishes it without sending. */
async function deliver(key: DeliveryKey, signal: AbortSignal): Promise<void> {
  const now = new Date();
  const delivery = await selectDelivery(key, now);
  if (!delivery) return;
  const reason = await reasonNotToSend(delivery, now);
  if (reason) return finishDelivery(key, reason, now);
  const quietUntil = endOfQuietHours(delivery, now);
  if (quietUntil) return postponeDelivery(key, { dueAt: quietUntil, countsAttempt: false });
  await send(key, delivery, signal);
}

async function reasonNotToSend(delivery: Delivery, now: Date): Promise<DeliveryOutcome | null> {
  const { kind, at, mutedKinds, sessionId, isCurrent, isSeen } = delivery;
  if (mutedKinds.includes(kind) || !(await findActiveSession(sessionId, now))) return 'unwanted';
  if (isSeen) return 'seen';
  return isCurrent && now.getTime() - at.getTime() < MESSAGE_TTL_MS ? null : 'outdated';
}

async function send(key: DeliveryKey, delivery: Delivery, signal: AbortSignal): Promise<void> {
  const { kind, at, subscription } = delivery;
  const message = await messageOf(delivery);
  const ttlSeconds = Math.ceil((at.getTime() + MESSAGE_TTL_MS - Date.now()) / 1_000);
  const result = await sendMessage(
    { subscription: unsealSubscription(subscription), kind, message, ttlSeconds },
    signal,
  );
  failpoint('web-push.sent');
  const now = new Date();
  if (result.kind === 'gone') return deleteEndedDevice(key.deviceId);
  if (result.kind === 'accepted') return finishDelivery(key, 'sent', now);
  log.info('web_push.not_accepted', { deviceId: key.deviceId, reason: result.reason, attempts: key.attempts });
  if (result.kind === 'refused' || key.attempts >= MAX_SEND_ATTEMPTS) return finishDelivery(key, 'failed', now);
  const dueAt = nextAttemptAt(key.attempts, result.retryAfterMs, now);
  await postponeDelivery(key, { dueAt, countsAttempt: true });
  wakeAt(dueAt);
}

/** Returns the time of the next attempt: exponential backoff with up to 50 % jitter, not before the requested time. */
function nextAttemptAt(attempts: number, retryAfterMs: number, now: Date): Date {
  const backoff = Math.min(RETRY_MAX_MS, RETRY_INITIAL_MS * 2 ** Math.min(attempts - 1, 20));
  return new Date(now.getTime() + Math.max(retryAfterMs, backoff * (0.5 + Math.random() / 2)));
}
