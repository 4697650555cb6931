import { nullable, row, timestamptz } from '../db/rows';
import { ACTIVE_MS, REST_POLL_MS } from '../limits';

interface Activity {
  /** The times at which this node and a peer were last active; monotonic, milliseconds. */
  ownAt: number;
  peerAt: number;
  /** Null until the server reports its requests; a process that does not is never idle. */
  isBusy: (() => boolean) | null;
  /** Callbacks of the periodic work, by the names that {@link wakeWork} uses. */
  wakes: Map<string, () => void>;
  onWake: () => void;
}

const activity: Activity = {
  ownAt: performance.now(),
  peerAt: Number.NEGATIVE_INFINITY,
  isBusy: null,
  wakes: new Map(),
  onWake: () => undefined,
};

/**
 * Permits this node to become idle between requests, each of which must call {@link markActive}. `isBusy` returns true
 * while a run of this node is in progress.
 */
export function allowRest(isBusy: () => boolean): void {
  activity.isBusy = isBusy;
}

/**
 * Reports an activity of this node that may have created work for periodic jobs of any node. Cheap while the node is
 * active.
 */
export function markActive(): void {
  const wasActive = isNodeActive();
  activity.ownAt = performance.now();
  if (!wasActive) activity.onWake();
}

/** Reports that a peer is active or may have died. */
export function markPeerActive(): void {
  activity.peerAt = performance.now();
}

/** Calls `listener` when this node becomes active after an idle period. */
export function onNodeWake(listener: () => void): void {
  activity.onWake = listener;
}

/**
 * Returns true if this node was active within the last {@link ACTIVE_MS}, has a run in progress, or may not become idle
 * ({@link allowRest}).
 */
export function isNodeActive(): boolean {
  const { ownAt, isBusy } = activity;
  return isBusy === null || performance.now() - ownAt < ACTIVE_MS || isBusy();
}

/**
 * Returns the time of the last activity of this node or a peer; the current time if one is active. Monotonic,
 * milliseconds.
 */
function lastActiveAt(): number {
  const { ownAt, peerAt } = activity;
  const now = performance.now();
  return isNodeActive() || now - peerAt < ACTIVE_MS ? now : Math.max(ownAt, peerAt);
}

/** Makes a round of the named periodic work due. For writers that create work for that job only. */
export function wakeWork(name: string): void {
  activity.wakes.get(name)?.();
}

/** Returns the time at which work is due; null if there is none. May be too early. */
export type NextDue = () => Promise<Date | null>;

export interface RestOptions {
  /** The name for {@link wakeWork}. */
  name?: string;
  /** Called once per idle period. Without it, work that becomes due waits for the slow poll. */
  nextDue?: NextDue;
  /**
   * The monotonic and the wall-clock time, in milliseconds, and the time of the last activity of any node. Replaced in
   * tests.
   */
  times?: { now: () => number; date: () => number; lastActiveAt: () => number };
}

export interface Rest {
  /**
   * Returns false if a round would find no work, because no node was active since the last round and no work became
   * due.
   */
  isRoundDue(): Promise<boolean>;
  /** Makes a round due. */
  wake(): void;
  /** Returns a function that makes a round due and then calls `poll`. */
  waking(poll: () => void): () => void;
}

const systemTimes = { now: () => performance.now(), date: Date.now, lastActiveAt };

/**
 * Determines whether a round of periodic work is due. While any node is active, each round is due. While all nodes are
 * idle, a round is due at the time that {@link RestOptions.nextDue} returned, after {@link Rest.wake}, and every
 * REST_POLL_MS.
 */
export function createRest({ name, nextDue, times = systemTimes }: RestOptions = {}): Rest {
  let roundAt = Number.NEGATIVE_INFINITY;
  /** The time at which the next round is due while idle; null before it is known. */
  let restUntil: number | null = null;
  function begin(): true {
    roundAt = times.now();
    restUntil = null;
    return true;
  }
  function wake(): void {
    roundAt = Number.NEGATIVE_INFINITY;
  }
  if (name !== undefined) activity.wakes.set(name, wake);
  return {
    async isRoundDue() {
      if (times.lastActiveAt() >= roundAt) return begin();
      if (restUntil === null) {
        const due = (await nextDue?.()) ?? null;
        const dueAt = due === null ? Number.POSITIVE_INFINITY : times.now() + due.getTime() - times.date();
        restUntil = Math.min(roundAt + REST_POLL_MS, dueAt);
      }
      return times.now() >= restUntil ? begin() : false;
    },
    wake,
    waking: (poll) => () => {
      wake();
      poll();
    },
  };
}

const dueRow = row({ due: nullable(timestamptz()) });

/** Returns the time that a statement selects as `due`, or null. For {@link NextDue}. */
export async function selectDue(name: string, statement: string, values: unknown[] = []): Promise<Date | null> {
  return (await dueRow.queryFirst(name, statement, values))?.due ?? null;
}

/** Like {@link selectDue}, for a statement about the rows of all owners: the earliest time of the task databases. */
export async function selectTaskDue(name: string, statement: string, values: unknown[] = []): Promise<Date | null> {
  const times = (await dueRow.inAvailable().query(name, statement, values)).flatMap(({ due }) => due?.getTime() ?? []);
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}
