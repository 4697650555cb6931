import { nodeId, onGap, subscribe } from '../../platform/bus';
import { newUuid } from '../../platform/ids';
import { errorFields, log } from '../../platform/log';
import { shared } from '../../platform/registry';
import { claimPushes, type PushWork, postponePush, releasePush } from '../store/push-deliveries';
import { deliverPushes, leaseUntil } from './deliver-pushes';
import { endReceiversWithCredentials } from './end-receivers';

/** Configurations that this node delivers to at once. */
const maxAtOnce = 60;
/** Those of one principal among them, so that nobody's slow receivers hold up everybody. */
const maxOfOne = 10;
/** How often a node looks by itself: for what is due again, and for what a node that is gone left behind, milliseconds. */
const sweepMs = 5_000;
/** Pause after a failure that is ours and not the receiver's, milliseconds. */
const brokenPauseMs = 60_000;
const maxWatched = 50_000;

interface Pusher {
  /** Tasks that have configurations, as far as this node knows: their notices are worth a look. */
  watched: Set<string>;
  active: number;
  activeOf: Map<string, number>;
  looking: boolean;
  again: boolean;
  stop: AbortController;
  leave: (() => void)[];
}

function pusher(): Pusher {
  return shared('pusher', () => ({
    watched: new Set(),
    active: 0,
    activeOf: new Map(),
    looking: false,
    again: false,
    stop: new AbortController(),
    leave: [],
  }));
}

/** Has this node deliver the task's pushes without delay. Other nodes find them within seconds. */
export function watchPush(taskId: string): void {
  watch(pusher(), taskId);
  look();
}

/** Begins to deliver pushes; every node does, and a lease keeps two from delivering the same. */
export function startPushes(): void {
  const { leave, watched } = pusher();
  if (leave.length > 0) return;
  const sweep = setInterval(look, sweepMs);
  sweep.unref();
  const heard = (taskId: string): void => {
    if (watched.has(taskId)) look();
  };
  leave.push(() => clearInterval(sweep), subscribe('task', '*', heard), onGap(look), endReceiversWithCredentials());
  look();
}

/** Stops delivering; what is under way is tried again by whoever comes next. */
export async function stopPushes(): Promise<void> {
  const state = pusher();
  for (const stop of state.leave.splice(0)) stop();
  state.stop.abort();
  for (let waited = 0; (state.active > 0 || state.looking) && waited < 50; waited++)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

function look(): void {
  const state = pusher();
  state.again = true;
  if (state.looking || state.stop.signal.aborted || state.leave.length === 0) return;
  state.looking = true;
  takeAll(state)
    .catch((error) => log.warn('push.claim_failed', errorFields(error)))
    .finally(() => {
      state.looking = false;
      if (state.again && state.active < maxAtOnce) setTimeout(look, 0);
    });
}

async function takeAll(state: Pusher): Promise<void> {
  while (state.again && state.active < maxAtOnce && !state.stop.signal.aborted) {
    state.again = false;
    const lease = `${nodeId()} ${newUuid()}`;
    const now = new Date();
    const limit = maxAtOnce - state.active;
    const claim = { lease, now, until: leaseUntil(now), limit, perPrincipal: maxOfOne, active: state.activeOf };
    for (const work of await claimPushes(claim)) void deliver(state, work, lease);
  }
}

async function deliver(state: Pusher, work: PushWork, lease: string): Promise<void> {
  const { taskId, id } = work;
  watch(state, taskId);
  count(state, work, 1);
  let dueAt = Date.now();
  try {
    const result = await deliverPushes(work, { taskId, id, lease }, state.stop.signal);
    if (result.kind === 'postponed') dueAt = result.dueAt.getTime();
    if (result.kind === 'ended') state.watched.delete(taskId);
  } catch (error) {
    dueAt += sweepMs;
    if (!state.stop.signal.aborted) log.warn('push.failed', { taskId, ...errorFields(error) });
    await letGo(work, lease, state.stop.signal.aborted);
  } finally {
    count(state, work, -1);
    // What was committed while we held the lease was not for anybody else to see.
    const pause = dueAt - Date.now();
    if (pause <= sweepMs) setTimeout(look, Math.max(0, pause)).unref();
  }
}

/** Lets go for others to take up at once, or after a failure of our own for a while. */
async function letGo(work: PushWork, lease: string, atOnce: boolean): Promise<void> {
  const { taskId, id, attempts, failingSince } = work;
  try {
    if (atOnce) return await releasePush({ taskId, id, lease }, false);
    const dueAt = new Date(Date.now() + brokenPauseMs);
    await postponePush({ taskId, id, lease }, { attempts, failingSince, dueAt, answer: null });
  } catch (failure) {
    log.warn('push.release_failed', { taskId, ...errorFields(failure) });
  }
}

function count(state: Pusher, { principal }: PushWork, change: 1 | -1): void {
  state.active += change;
  const active = (state.activeOf.get(principal) ?? 0) + change;
  if (active > 0) state.activeOf.set(principal, active);
  else state.activeOf.delete(principal);
}

function watch({ watched }: Pusher, taskId: string): void {
  watched.add(taskId);
  const oldest = watched.values().next().value;
  if (watched.size > maxWatched && oldest !== undefined) watched.delete(oldest);
}
