import { applyOfferedCard } from '../../catalog';
import { consume } from '../../limits';
import { publish } from '../../platform/bus';
import { hasCode } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { errorFields, log } from '../../platform/runtime/log';
import { HUB_CLOSE, HubError } from '../../protocol/hub/errors';
import type { HelloParams } from '../../protocol/hub/hub-schema';
import type { JsonObject } from '../../protocol/json';
import type { RunChannel } from '../channel';
import {
  MAX_FRAME_BYTES,
  MAX_WORKERS_PER_AGENT,
  PING_INTERVAL_MS,
  TOO_MANY_RETRY_MS,
  WINDOW_BYTES,
  WINDOW_EVENTS,
} from '../limits';
import { HELLO_LIMIT } from '../rate-limits';
import { type ResumedRun, resumeRuns } from '../runs/deliveries';
import { addSession, removeSession, sessionsOf } from '../runs/sessions';
import { markLeft, markNodeLeft, selectPresence, upsertWorker } from '../store/workers';
import { type WorkerIdentity, WorkerSession } from '../worker-session';
import { authenticateWorker, type WorkerAuthorization } from './authenticate-worker';

/** A connected worker, and the response to its hello. */
export interface ConnectedWorker {
  session: WorkerSession;
  authorization: WorkerAuthorization;
  response: JsonObject;
}

/**
 * Connects a worker: checks its authorization for the agent, replaces its earlier connection, and resumes the runs that
 * it still executes.
 * @throws {HubError} `invalid_token`, `not_your_agent`, `suspended`, `too_many_workers`, `rate_limited`
 */
export async function connectWorker(channel: RunChannel, hello: HelloParams, now: Date): Promise<ConnectedWorker> {
  const authorization = await authenticateWorker(hello.token, { slug: hello.agent, now });
  const { agent } = authorization;
  const { workerId, capacity, version } = hello;
  const identity = { agentId: agent.id, workerId, capacity, redelivers: hello.redelivery === 'safe' };
  const { session, runs } = await openSession(channel, identity, { version, runs: hello.runs, now });
  if (hello.card) offerCard(agent.id, hello.card, now);
  const { APP_URL, HUB_GRACE_SECONDS } = env();
  const policy = {
    pingMs: PING_INTERVAL_MS,
    graceMs: HUB_GRACE_SECONDS * 1_000,
    windowEvents: WINDOW_EVENTS,
    windowBytes: WINDOW_BYTES,
    maxFrameBytes: MAX_FRAME_BYTES,
  };
  const described = { slug: agent.slug, url: `${APP_URL}/agents/${agent.slug}` };
  return { session, authorization, response: { sessionId: session.id, policy, agent: described, runs } };
}

/** Applies the card. Not awaited, because the owner sees the result of the check in the console. */
function offerCard(agentId: string, card: JsonObject, now: Date): void {
  applyOfferedCard({ agentId, card, now }).catch((error) =>
    log.warn('hub.card_failed', { agentId, ...errorFields(error) }),
  );
}

/**
 * Activates a worker's connection for runs: replaces its earlier one, and resumes the runs that it still executes.
 * @throws {HubError} `too_many_workers`, `rate_limited`
 */
export async function openSession(
  channel: RunChannel,
  identity: WorkerIdentity,
  { version, runs: named, now }: Pick<HelloParams, 'version' | 'runs'> & { now: Date },
): Promise<{ session: WorkerSession; runs: ResumedRun[] }> {
  const { agentId, workerId, capacity } = identity;
  await admit(agentId, workerId, now);
  for (const earlier of sessionsOf(agentId)) {
    if (earlier.identity.workerId === workerId) earlier.close(HUB_CLOSE.replaced, 'The same worker connected again.');
  }
  const session = new WorkerSession(identity, channel, now);
  const runs = await resumeRuns(session, named);
  await upsertWorker({ id: workerId, agentId, capacity, version, at: now });
  addSession(session);
  publishPresence(agentId);
  log.info('hub.worker_connected', { agentId, workerId });
  return { session, runs };
}

/** Handles a closed connection: its accepted runs wait for the worker, and its pending offers are made to others. */
export function disconnectWorker(session: WorkerSession): void {
  if (session.closed) return;
  const { agentId, workerId } = session.identity;
  removeSession(session);
  session.end();
  const isReplaced = sessionsOf(agentId).some(({ identity }) => identity.workerId === workerId);
  log.info('hub.worker_disconnected', { agentId, workerId });
  if (isReplaced || isDepartureRecorded) return;
  markLeft({ id: workerId, agentId, at: session.connectedAt })
    .then(() => publishPresence(agentId))
    .catch((error) => log.warn('hub.presence_failed', { agentId, ...errorFields(error) }));
}

let isDepartureRecorded = false;

/** Records that all workers of this node have disconnected. For shutdown, before the database is closed. */
export async function disconnectAll(): Promise<void> {
  isDepartureRecorded = true;
  const agentIds = await markNodeLeft();
  await Promise.all(agentIds.map((agentId) => publish('hub-worker', agentId)));
}

/** Notifies every node that the agent's workers have changed. */
export function publishPresence(agentId: string): void {
  publish('hub-worker', agentId).catch((error) => log.warn('hub.presence_failed', { agentId, ...errorFields(error) }));
}

/** Checks the limits. A worker that is connected to any node, or was within the last minute, does not count. */
async function admit(agentId: string, workerId: string, now: Date): Promise<void> {
  const { others, isReturning } = await selectPresence(agentId, workerId);
  if (isReturning) return;
  try {
    await consume(HELLO_LIMIT, agentId, now);
  } catch (error) {
    if (!hasCode(error, 'rate_limited')) throw error;
    throw new HubError(
      'rate_limited',
      'Workers of this agent connect too often. Wait before you reconnect.',
      TOO_MANY_RETRY_MS,
    );
  }
  if (others < MAX_WORKERS_PER_AGENT) return;
  const text = `${MAX_WORKERS_PER_AGENT} workers of this agent are already connected, which is the limit.`;
  throw new HubError('too_many_workers', text, TOO_MANY_RETRY_MS);
}
