import { notifyPerson } from '../../identity';
import { ParleyError } from '../../platform/errors';
import { fetchExternal } from '../../platform/http-client/safe-fetch';
import { env } from '../../platform/runtime/env';
import { failpoint } from '../../platform/runtime/failpoint';
import { errorFields, log } from '../../platform/runtime/log';
import { sha256 } from '../../platform/secrets/crypto';
import { applyEvent, foldTask, isFinal } from '../../protocol/a2a/core/events';
import type { Task, TaskChanges } from '../../protocol/a2a/core/model';
import { addChange, changesOf } from '../../protocol/a2a/core/task-changes';
import { toPushBody } from '../../protocol/a2a/dialects';
import type { MailText, Translation } from '../../texts/sent-texts';
import { isCallerActive, signPush } from '../../tokens';
import { redactSecrets } from '../agent-client/redact-secrets';
import {
  MAX_PUSH_RESPONSE_BYTES,
  PUSH_LEASE_MS,
  PUSH_MAX_CONSECUTIVE_DEAD_LETTERS,
  PUSH_RESPONSE_EXCERPT_BYTES,
  PUSH_RETRY_INITIAL_MS,
  PUSH_RETRY_MAX_MS,
  PUSH_RETRY_WINDOW_MS,
  PUSH_TIMEOUT_MS,
} from '../limits';
import { findTask } from '../store/find-tasks';
import { deletePushConfigRow, openSecrets } from '../store/push/push-config-rows';
import {
  advancePush,
  insertDeadLetter,
  type PushLease,
  type PushWork,
  postponePush,
  releasePush,
} from '../store/push/push-deliveries';
import type { StoredEvent } from '../store/records';
import { loadTask, readEvents } from '../store/task-events';

/** Returns the time at which a lease that is acquired at `now` expires if its node dies. */
export function leaseExpiry(now: Date): Date {
  return new Date(now.getTime() + PUSH_LEASE_MS);
}

/**
 * `idle`: all events so far have been sent. `ended`: no further push will follow. `lost`: another node acquired the
 * lease.
 */
type PushResult = { kind: 'idle' | 'ended' | 'lost' } | { kind: 'postponed'; dueAt: Date };

/**
 * Sends a configuration's events in order under a lease. A failed push blocks later ones and is retried with
 * exponential backoff within the retry window. Sends nothing after the credential that created the configuration is
 * revoked.
 */
export async function deliverPushes(work: PushWork, lease: PushLease, signal: AbortSignal): Promise<PushResult> {
  const { task, events, changes } = await loadTaskAt(work);
  let seen = work.sentSeq;
  for (
    let page = events;
    page.length > 0;
    page = await readEvents({ principal: work.principal, id: work.taskId }, seen)
  ) {
    for (const { seq, event } of page) {
      seen = seq;
      applyEvent(task, event);
      const push = toPushBody(work.dialect, { seq, event: addChange(changes, seq, event) }, task);
      if (!push) continue;
      if (!(await isCallerActive(work, new Date()))) return removeReceiver(work);
      const sent = { seq, contentType: push.contentType, body: JSON.stringify(push.body) };
      const outcome = await sendPush(work, sent, { now: new Date(), signal });
      failpoint('push.sent');
      const result = await recordOutcome(work, lease, { seq, outcome });
      if (result) return result;
      work.consecutiveDeadLetters = outcome.kind === 'delivered' ? 0 : work.consecutiveDeadLetters + 1;
      const { consecutiveDeadLetters } = work;
      if (!(await advancePush(lease, { seq, consecutiveDeadLetters, until: leaseExpiry(new Date()) })))
        return { kind: 'lost' };
      failpoint('push.recorded');
      work.attempts = 0;
      work.failingSince = null;
      if (isFinal(event)) return release(lease, 'ended');
    }
  }
  await advancePush(lease, {
    seq: seen,
    consecutiveDeadLetters: work.consecutiveDeadLetters,
    until: leaseExpiry(new Date()),
  });
  return release(lease, 'idle');
}

async function removeReceiver({ principal, taskId, id }: PushWork): Promise<PushResult> {
  await deletePushConfigRow({ principal, taskId, delegation: null }, id);
  return { kind: 'ended' };
}

async function release(lease: PushLease, kind: 'ended' | 'idle'): Promise<PushResult> {
  await releasePush(lease, kind === 'ended');
  return { kind };
}

/** Emails the user that delivery was disabled. The owner of an app sees it in the console. */
async function notifyDisabled({ principal, url, taskId }: PushWork, now: Date): Promise<void> {
  if (!principal.startsWith('usr_')) return;
  const values = { taskId, url, link: `${env().APP_URL}/console/pushes` };
  try {
    const mail = (texts: Translation): MailText => texts.mail('webhookDisabled', values);
    await notifyPerson({ ctx: { now }, input: { userId: principal, kind: 'tasks', mail } });
  } catch (error) {
    log.warn('push.notification_failed', { taskId, ...errorFields(error) });
  }
}

/** Records the outcome. Returns null if the next event may be sent. */
async function recordOutcome(
  work: PushWork,
  lease: PushLease,
  { seq, outcome }: { seq: number; outcome: PushOutcome },
): Promise<PushResult | null> {
  if (outcome.kind === 'delivered') return null;
  const now = new Date();
  const attempts = work.attempts + 1;
  const failingSince = work.failingSince ?? now;
  const dueAt = outcome.kind === 'failed' ? nextRetryAt({ attempts, failingSince }, now) : null;
  if (dueAt) {
    await postponePush(lease, { attempts, failingSince, dueAt, answer: outcome });
    return { kind: 'postponed', dueAt };
  }
  const { principal, agentId, taskId, id: configId, url } = work;
  const { reason, httpStatus, answer } = outcome;
  const deadLetter = {
    id: deliveryId(work, seq),
    taskId,
    configId,
    seq,
    url,
    reason,
    httpStatus,
    attempts,
    at: now,
    answer,
  };
  await insertDeadLetter({ ...deadLetter, principal, agentId });
  log.warn('push.dead_lettered', { taskId, seq, reason, attempts });
  if (outcome.kind === 'failed' && work.consecutiveDeadLetters + 1 < PUSH_MAX_CONSECUTIVE_DEAD_LETTERS) return null;
  if (outcome.kind === 'failed') await notifyDisabled(work, now);
  return release(lease, 'ended');
}

/**
 * Returns the time at which to retry a push that failed `attempts` times. The delay doubles after every attempt, with
 * up to 50 % jitter, so that receivers do not get all retries at the same time. Returns null if the push has failed for
 * the whole retry window.
 */
function nextRetryAt({ attempts, failingSince }: { attempts: number; failingSince: Date }, now: Date): Date | null {
  if (now.getTime() - failingSince.getTime() >= PUSH_RETRY_WINDOW_MS) return null;
  const delay = Math.min(PUSH_RETRY_MAX_MS, PUSH_RETRY_INITIAL_MS * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2);
  return new Date(now.getTime() + delay);
}

/** Returns the task and its changes as of the last push sent, and the events after it; an empty task if it no longer exists. */
export async function loadTaskAt({
  principal,
  agentId,
  taskId,
  sentSeq,
}: Pick<PushWork, 'principal' | 'agentId' | 'taskId' | 'sentSeq'>): Promise<{
  task: Task;
  changes: TaskChanges;
  events: StoredEvent[];
}> {
  const record = await findTask({ principal, agentId, delegation: null }, taskId);
  if (!record) {
    return { task: foldTask({ id: taskId, contextId: '', createdAt: '' }, []), changes: changesOf([]), events: [] };
  }
  const { events } = await loadTask(record);
  const delivered = events.filter(({ seq }) => seq <= sentSeq);
  const identity = { id: record.id, contextId: record.contextId, createdAt: record.createdAt.toISOString() };
  const task = foldTask(
    identity,
    delivered.map(({ event }) => event),
  );
  return { task, changes: changesOf(delivered), events: events.filter(({ seq }) => seq > sentSeq) };
}

/** The outcome of one attempt. `gone` means that it must not be retried. */
type PushOutcome =
  | { kind: 'delivered' }
  | { kind: 'failed' | 'gone'; reason: string; httpStatus: number | null; answer: string };

/** Returns the delivery id, which is the same for every attempt, so that receivers can deduplicate. */
function deliveryId({ taskId, id }: Pick<PushWork, 'taskId' | 'id'>, seq: number): string {
  return sha256(JSON.stringify([taskId, id, seq])).slice(0, 32);
}

/** Makes one delivery attempt through safe-fetch, signed by Parley and with the client's own token and credentials. */
export async function sendPush(
  work: Pick<PushWork, 'taskId' | 'id' | 'url' | 'secrets'>,
  push: { seq: number; contentType: string; body: string },
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<PushOutcome> {
  const { token, authentication } = openSecrets(work.secrets);
  const claims = { audience: new URL(work.url).origin, taskId: work.taskId, bodyHash: sha256(push.body) };
  const headers = {
    'content-type': push.contentType,
    'parley-delivery': deliveryId(work, push.seq),
    'parley-signature': await signPush(claims, now),
    ...(token && { 'x-a2a-notification-token': token }),
    ...(authentication?.credentials && {
      authorization: `${authentication.scheme} ${authentication.credentials}`,
    }),
  };
  try {
    const response = await fetchExternal({
      url: work.url,
      method: 'POST',
      headers,
      body: push.body,
      signal,
      waitMs: PUSH_TIMEOUT_MS,
      waitFor: 'whole',
      silenceTimeoutMs: PUSH_TIMEOUT_MS,
      maxBytes: MAX_PUSH_RESPONSE_BYTES,
    });
    // A 2xx status is an acknowledgment, even if the body cannot be read.
    const excerpt = await readExcerpt(response.chunks()).catch(() => '');
    return outcomeOf(response.status, excerpt);
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = error instanceof ParleyError ? error.code : 'agent_timeout';
    return { kind: reason === 'url_refused' ? 'gone' : 'failed', reason, httpStatus: null, answer: '' };
  }
}

/** Returns the part of a response that users see. Reading the body releases the connection. */
async function readExcerpt(body: AsyncIterable<Uint8Array>): Promise<string> {
  for await (const chunk of body) {
    const text = new TextDecoder().decode(chunk.subarray(0, PUSH_RESPONSE_EXCERPT_BYTES)).replaceAll('\0', '\ufffd');
    return redactSecrets(text);
  }
  return '';
}

function outcomeOf(status: number, answer: string): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  return { kind: status === 410 ? 'gone' : 'failed', reason: `http_${status}`, httpStatus: status, answer };
}
