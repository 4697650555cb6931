import { errorFields, log } from '../platform/log';
import { HubError } from '../protocol/hub/errors';
import { parseParams } from '../protocol/hub/frames';
import { authParams, eventParams, releaseParams, stateParams } from '../protocol/hub/schema';
import type { JsonObject, JsonValue } from '../protocol/json';
import { publishPresence } from './connect-worker';
import { findDelivery } from './deliveries';
import type { Delivery } from './delivery';
import { dispatchSoon } from './dispatch';
import type { HubChannel } from './hub-channel';
import { updateWorker } from './store/workers';
import type { WorkerSession } from './worker-session';

/** What a method needs besides its params. */
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

/** The methods of workers. A notification's result is dropped; its error closes the connection. */
export const workerMethods: Record<string, WorkerMethod> = {
  'hub.auth': async ({ renewToken }, params) => {
    await renewToken(parseParams(authParams, params).token);
    return {};
  },
  // Some WebSocket clients do not show pings to their program: they ask whether the connection is alive.
  'hub.ping': () => ({}),
  'run.event': receiveEvent,
  'run.release': (context, params) => {
    const { runId, epoch } = parseParams(releaseParams, params);
    ownDelivery(context, { runId, epoch })?.end('released');
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

/** Events of a run that is over, or of an earlier epoch, are dropped: their sender learned of it, or will. */
function receiveEvent(context: MethodContext, params: JsonObject): JsonValue {
  const { runId, epoch, n, item } = parseParams(eventParams, params);
  const delivery = ownDelivery(context, { runId, epoch });
  if (delivery && !delivery.push(n, item, context.bytes)) {
    throw new HubError('window_exceeded', `Event ${n} of ${runId} is out of order or exceeds the window.`);
  }
  return {};
}

/** The session's delivery of the run. Another worker's run, or another epoch's, is not found. */
function ownDelivery(
  { session, channel }: MethodContext,
  { runId, epoch }: { runId: string; epoch: number },
): Delivery | null {
  const delivery = findDelivery(runId);
  const isOwn = delivery !== null && session.deliveries.has(delivery);
  if (isOwn && delivery.run.epoch === epoch) return delivery;
  channel.notify('run.gone', { runId, epoch, reason: isOwn ? 'stale_epoch' : 'unknown_run' });
  return null;
}

function saveState(session: WorkerSession): void {
  const { agentId, workerId } = session.identity;
  updateWorker({ id: workerId, agentId }, { capacity: session.capacity, draining: session.draining })
    .then(() => publishPresence(agentId))
    .catch((error) => log.warn('hub.presence_failed', { agentId, ...errorFields(error) }));
}
