import { ACTIVE_MS, REST_POLL_MS } from './limits';

interface Activity {
  /** When this node last did something, and a peer; monotonic, milliseconds. */
  ownAt: number;
  peerAt: number;
  /** Null until the server reports its requests: a process that does not is never at rest. */
  isBusy: (() => boolean) | null;
  /** The periodic work that {@link wakeWork} names. */
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

/** Lets this node rest between requests: from now on, {@link markActive} reports each. `isBusy` is true during its runs. */
export function allowRest(isBusy: () => boolean): void {
  activity.isBusy = isBusy;
}

/**
 * Reports that this node did something that may have left work to periodic jobs of any node. Costs nothing while the
 * node is active.
 */
export function markActive(): void {
  const wasActive = isNodeActive();
  activity.ownAt = performance.now();
  if (!wasActive) activity.onWake();
}

/** Reports that a peer is active, or may have died. */
export function markPeerActive(): void {
  activity.peerAt = performance.now();
}

/** Calls `listener` when this node becomes active after a rest. */
export function onNodeWake(listener: () => void): void {
  activity.onWake = listener;
}

/** True when this node did something within the last seconds, or runs something. */
export function isNodeActive(): boolean {
  const { ownAt, isBusy } = activity;
  return isBusy === null || performance.now() - ownAt < ACTIVE_MS || isBusy();
}

/** When this node or a peer was last active; now, while one is. Monotonic, milliseconds. */
function lastActiveAt(): number {
  const { ownAt, peerAt } = activity;
  const now = performance.now();
  return isNodeActive() || now - peerAt < ACTIVE_MS ? now : Math.max(ownAt, peerAt);
}

/** Lets the next round of the named periodic work run. For writers of what that work alone does. */
export function wakeWork(name: string): void {
  activity.wakes.get(name)?.();
}

/** When something is due; null when nothing is. May be too early. */
export type NextDue = () => Promise<Date | null>;

export interface RestOptions {
  /** For {@link wakeWork}. */
  name?: string;
  /** Asked once per rest. Without it, what becomes due by time waits for the slow poll. */
  nextDue?: NextDue;
  /** Monotonic and of the calendar, milliseconds, and the last activity of any node; replaced in tests. */
  times?: { now: () => number; date: () => number; lastActiveAt: () => number };
}

export interface Rest {
  /** False while a round would find nothing: no node was active since the last one, and nothing became due. */
  isRoundDue(): Promise<boolean>;
  /** Makes a round due. */
  wake(): void;
  /** `poll`, with a round due. */
  waking(poll: () => void): () => void;
}

const systemTimes = { now: () => performance.now(), date: Date.now, lastActiveAt };

/**
 * Decides whether periodic work needs a round. While any node is active, each round is due. At rest, a round is due
 * when {@link RestOptions.nextDue} said, when it is woken, and every REST_POLL_MS.
 */
export function createRest({ name, nextDue, times = systemTimes }: RestOptions = {}): Rest {
  let roundAt = Number.NEGATIVE_INFINITY;
  /** When the next round is due at rest; null before it is known. */
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
