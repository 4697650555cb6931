import { LRUCache } from 'lru-cache';
import { nodeId, onConnectionGap, subscribe } from '../../platform/bus';
import { newUuid } from '../../platform/ids';
import { errorFields, log } from '../../platform/log';
import { processSingleton } from '../../platform/singleton';
import {
  PUSH_CONCURRENCY,
  PUSH_CONCURRENCY_PER_PRINCIPAL,
  PUSH_INTERNAL_ERROR_DELAY_MS,
  PUSH_MAX_TRACKED_TASKS,
  PUSH_SWEEP_MS,
  STOP_POLL_MS,
  STOP_TIMEOUT_MS,
} from '../limits';
import { claimPushes, type PushWork, postponePush, releasePush } from '../store/push-deliveries';
import { deliverPushes, leaseExpiry } from './deliver-pushes';
import { removeConfigsOnRevocation } from './push-receivers';

interface PushWorker {
  /** Tasks with push configurations, as far as this node knows: only their events trigger a poll. */
  watched: LRUCache<string, true>;
  active: number;
  activeByPrincipal: Map<string, number>;
  polling: boolean;
  pollRequested: boolean;
  stop: AbortController;
  unsubscribes: (() => void)[];
}

function pushWorker(): PushWorker {
  return processSingleton('pusher', () => ({
    watched: new LRUCache({ max: PUSH_MAX_TRACKED_TASKS }),
    active: 0,
    activeByPrincipal: new Map(),
    polling: false,
    pollRequested: false,
    stop: new AbortController(),
    unsubscribes: [],
  }));
}

/** Delivers the task's pushes from this node without delay. Other nodes find them within seconds. */
export function schedulePush(taskId: string): void {
  pushWorker().watched.set(taskId, true);
  poll();
}

/** Starts delivering pushes. Every node does; leases prevent duplicate delivery. */
export function startPushWorker(): void {
  const { unsubscribes, watched } = pushWorker();
  if (unsubscribes.length > 0) return;
  const sweep = setInterval(poll, PUSH_SWEEP_MS);
  sweep.unref();
  const onTaskEvent = (taskId: string): void => {
    if (watched.has(taskId)) poll();
  };
  unsubscribes.push(
    () => clearInterval(sweep),
    subscribe('task', '*', onTaskEvent),
    onConnectionGap(poll),
    removeConfigsOnRevocation(),
  );
  poll();
}

/** Stops delivering. Other nodes retry pushes in flight. */
export async function stopPushWorker(): Promise<void> {
  const state = pushWorker();
  for (const unsubscribe of state.unsubscribes.splice(0)) unsubscribe();
  state.stop.abort();
  for (let waited = 0; (state.active > 0 || state.polling) && waited < STOP_TIMEOUT_MS; waited += STOP_POLL_MS)
    await new Promise((resolve) => setTimeout(resolve, STOP_POLL_MS));
}

function poll(): void {
  const state = pushWorker();
  state.pollRequested = true;
  if (state.polling || state.stop.signal.aborted || state.unsubscribes.length === 0) return;
  state.polling = true;
  drain(state)
    .catch((error) => log.warn('push.claim_failed', errorFields(error)))
    .finally(() => {
      state.polling = false;
      if (state.pollRequested && state.active < PUSH_CONCURRENCY) setTimeout(poll, 0);
    });
}

async function drain(state: PushWorker): Promise<void> {
  while (state.pollRequested && state.active < PUSH_CONCURRENCY && !state.stop.signal.aborted) {
    state.pollRequested = false;
    const lease = `${nodeId()} ${newUuid()}`;
    const now = new Date();
    const limit = PUSH_CONCURRENCY - state.active;
    const claim = {
      lease,
      now,
      until: leaseExpiry(now),
      limit,
      perPrincipal: PUSH_CONCURRENCY_PER_PRINCIPAL,
      active: state.activeByPrincipal,
    };
    for (const work of await claimPushes(claim)) void deliver(state, work, lease);
  }
}

async function deliver(state: PushWorker, work: PushWork, lease: string): Promise<void> {
  const { taskId, id } = work;
  state.watched.set(taskId, true);
  adjustActive(state, work, 1);
  let dueAt = Date.now();
  try {
    const result = await deliverPushes(work, { taskId, id, lease }, state.stop.signal);
    if (result.kind === 'postponed') dueAt = result.dueAt.getTime();
    if (result.kind === 'ended') state.watched.delete(taskId);
  } catch (error) {
    dueAt += PUSH_SWEEP_MS;
    if (!state.stop.signal.aborted) log.warn('push.failed', { taskId, ...errorFields(error) });
    await releaseLease(work, lease, state.stop.signal.aborted);
  } finally {
    adjustActive(state, work, -1);
    // Events committed while this node held the lease were not claimable by others.
    const delay = dueAt - Date.now();
    if (delay <= PUSH_SWEEP_MS) setTimeout(poll, Math.max(0, delay)).unref();
  }
}

/** Releases the lease: immediately on shutdown, after a backoff following an error of our own. */
async function releaseLease(work: PushWork, lease: string, immediately: boolean): Promise<void> {
  const { taskId, id, attempts, failingSince } = work;
  try {
    if (immediately) return await releasePush({ taskId, id, lease }, false);
    const dueAt = new Date(Date.now() + PUSH_INTERNAL_ERROR_DELAY_MS);
    await postponePush({ taskId, id, lease }, { attempts, failingSince, dueAt, answer: null });
  } catch (failure) {
    log.warn('push.release_failed', { taskId, ...errorFields(failure) });
  }
}

function adjustActive(state: PushWorker, { principal }: PushWork, change: 1 | -1): void {
  state.active += change;
  const active = (state.activeByPrincipal.get(principal) ?? 0) + change;
  if (active > 0) state.activeByPrincipal.set(principal, active);
  else state.activeByPrincipal.delete(principal);
}
