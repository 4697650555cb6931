import { nodeId, onConnectionGap, subscribe } from '../../platform/bus';
import { newUuid } from '../../platform/ids';
import { errorFields, log } from '../../platform/log';
import { processSingleton } from '../../platform/singleton';
import { claimPushes, type PushWork, postponePush, releasePush } from '../store/push-deliveries';
import { deliverPushes, leaseExpiry } from './deliver-pushes';
import { removeConfigsOnRevocation } from './remove-configs-on-revocation';

/** Configurations that this node delivers to at once. */
const maxConcurrent = 60;
/** Those of one principal among them, so that nobody's slow receivers hold up everybody. */
const maxPerPrincipal = 10;
/** How often a node looks by itself: for what is due again, and for what a node that is gone left behind, milliseconds. */
const sweepIntervalMs = 5_000;
/** Pause after a failure that is ours and not the receiver's, milliseconds. */
const failureBackoffMs = 60_000;
const maxWatched = 50_000;

interface PushWorker {
  /** Tasks that have configurations, as far as this node knows: their notices are worth a look. */
  watched: Set<string>;
  active: number;
  activeByPrincipal: Map<string, number>;
  polling: boolean;
  pollRequested: boolean;
  stop: AbortController;
  unsubscribes: (() => void)[];
}

function pushWorker(): PushWorker {
  return processSingleton('pusher', () => ({
    watched: new Set(),
    active: 0,
    activeByPrincipal: new Map(),
    polling: false,
    pollRequested: false,
    stop: new AbortController(),
    unsubscribes: [],
  }));
}

/** Has this node deliver the task's pushes without delay. Other nodes find them within seconds. */
export function schedulePush(taskId: string): void {
  track(pushWorker(), taskId);
  poll();
}

/** Begins to deliver pushes; every node does, and a lease keeps two from delivering the same. */
export function startPushWorker(): void {
  const { unsubscribes: leave, watched } = pushWorker();
  if (leave.length > 0) return;
  const sweep = setInterval(poll, sweepIntervalMs);
  sweep.unref();
  const onTaskEvent = (taskId: string): void => {
    if (watched.has(taskId)) poll();
  };
  leave.push(
    () => clearInterval(sweep),
    subscribe('task', '*', onTaskEvent),
    onConnectionGap(poll),
    removeConfigsOnRevocation(),
  );
  poll();
}

/** Stops delivering; what is under way is tried again by whoever comes next. */
export async function stopPushWorker(): Promise<void> {
  const state = pushWorker();
  for (const stop of state.unsubscribes.splice(0)) stop();
  state.stop.abort();
  for (let waited = 0; (state.active > 0 || state.polling) && waited < 50; waited++)
    await new Promise((resolve) => setTimeout(resolve, 20));
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
      if (state.pollRequested && state.active < maxConcurrent) setTimeout(poll, 0);
    });
}

async function drain(state: PushWorker): Promise<void> {
  while (state.pollRequested && state.active < maxConcurrent && !state.stop.signal.aborted) {
    state.pollRequested = false;
    const lease = `${nodeId()} ${newUuid()}`;
    const now = new Date();
    const limit = maxConcurrent - state.active;
    const claim = {
      lease,
      now,
      until: leaseExpiry(now),
      limit,
      perPrincipal: maxPerPrincipal,
      active: state.activeByPrincipal,
    };
    for (const work of await claimPushes(claim)) void deliver(state, work, lease);
  }
}

async function deliver(state: PushWorker, work: PushWork, lease: string): Promise<void> {
  const { taskId, id } = work;
  track(state, taskId);
  adjustActive(state, work, 1);
  let dueAt = Date.now();
  try {
    const result = await deliverPushes(work, { taskId, id, lease }, state.stop.signal);
    if (result.kind === 'postponed') dueAt = result.dueAt.getTime();
    if (result.kind === 'ended') state.watched.delete(taskId);
  } catch (error) {
    dueAt += sweepIntervalMs;
    if (!state.stop.signal.aborted) log.warn('push.failed', { taskId, ...errorFields(error) });
    await releaseLease(work, lease, state.stop.signal.aborted);
  } finally {
    adjustActive(state, work, -1);
    // What was committed while we held the lease was not for anybody else to see.
    const delay = dueAt - Date.now();
    if (delay <= sweepIntervalMs) setTimeout(poll, Math.max(0, delay)).unref();
  }
}

/** Lets go for others to take up at once, or after a failure of our own for a while. */
async function releaseLease(work: PushWork, lease: string, immediately: boolean): Promise<void> {
  const { taskId, id, attempts, failingSince } = work;
  try {
    if (immediately) return await releasePush({ taskId, id, lease }, false);
    const dueAt = new Date(Date.now() + failureBackoffMs);
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

function track({ watched }: PushWorker, taskId: string): void {
  watched.add(taskId);
  const oldest = watched.values().next().value;
  if (watched.size > maxWatched && oldest !== undefined) watched.delete(oldest);
}
