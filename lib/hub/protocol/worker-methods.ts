import { errorFields, log } from '../../platform/runtime/log';
import { HubError } from '../../protocol/hub/errors';
import { parseParams } from '../../protocol/hub/frames';
import { authParams, eventParams, releaseParams, stateParams } from '../../protocol/hub/hub-schema';
import type { JsonObject, JsonValue } from '../../protocol/json';
import { publishPresence } from '../connections/connect-worker';
import type { Delivery } from '../delivery';
import { findDelivery } from '../runs/deliveries';
import { dispatchSoon } from '../runs/dispatch';
import { updateWorker } from '../store/workers';
import type { WorkerSession } from '../worker-session';
import type { HubChannel } from './hub-channel';

/** The data that a method requires in addition to its params. */
export interface MethodContext {
  session: WorkerSession;
  channel: HubChannel;
  /** Replaces the connection's token. */
  renewToken: (token: string) => Promise<void>;
  /** Size of the frame. */
  bytes: number;
}

/** A method that workers call after their hello. */
export type WorkerMethod = (context: MethodContext, params: JsonObject) => JsonValue | Promise<JsonValue>;

/**
 * The methods of workers. The result of a notification is dropped. Its error closes the connection, unless `run.gone`
 * reported it.
 */
export const workerMethods: Record<string, WorkerMethod> = {
  'hub.auth': async ({ renewToken }, params) => {
    await renewToken(parseParams(authParams, params).token);
    return {};
  },
  // Some WebSocket clients do not report pings to their program, which therefore sends a request to check the
  // connection.
  'hub.ping': () => ({}),
  'run.event': receiveEvent,
  'run.release': (context, params) => {
    const { runId, epoch } = parseParams(releaseParams, params);
    requireOwnDelivery(context, { runId, epoch }).end('released');
    return {};
  },
  'worker.state': ({ session }, params) => {
    const state = parseParams(stateParams, params);
    if ('draining' in state) session.draining = true;
    else session.capacity = state.capacity;
    saveState(session);
    dispatchSoon(session.identity.agentId);
    return {};
  },
};

/**
 * Queues an event of a run.
 * @throws {HubError} `unknown_run`, `stale_epoch`, `window_exceeded`
 */
function receiveEvent(context: MethodContext, params: JsonObject): JsonValue {
  const { runId, epoch, n, item } = parseParams(eventParams, params);
  const delivery = requireOwnDelivery(context, { runId, epoch });
  if (!delivery.push(n, item, context.bytes)) {
    throw new HubError('window_exceeded', `Event ${n} of ${runId} is out of order or exceeds the window.`);
  }
  return {};
}

/**
 * Returns the session's delivery of the run. For any other run (of another worker or epoch, ended, or nonexistent), the
 * worker receives `run.gone`, even after a notification, which has no response.
 * @throws {HubError} `unknown_run`, the same for all of these; `stale_epoch` for an earlier offer of the worker's own
 *   run
 */
function requireOwnDelivery(
  { session, channel }: MethodContext,
  { runId, epoch }: { runId: string; epoch: number },
): Delivery {
  const delivery = findDelivery(runId);
  const isOwn = delivery !== null && session.deliveries.has(delivery);
  if (isOwn && delivery.run.epoch === epoch) return delivery;
  const reason = isOwn ? 'stale_epoch' : 'unknown_run';
  channel.notify('run.gone', { runId, epoch, reason });
  throw new HubError(
    reason,
    isOwn
      ? `Found epoch ${epoch} of the run ${runId}; expected ${delivery.run.epoch}, that of its last offer.`
      : `This worker has no run ${runId}: it has ended, belongs to another worker, or never existed. Drop it.`,
  );
}

function saveState(session: WorkerSession): void {
  const { agentId, workerId } = session.identity;
  updateWorker({ id: workerId, agentId }, { capacity: session.capacity, draining: session.draining })
    .then(() => publishPresence(agentId))
    .catch((error) => log.warn('hub.presence_failed', { agentId, ...errorFields(error) }));
}
