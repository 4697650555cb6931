import { pool } from '../db/sql';

type Delay = () => number;

const queueDelays: Delay[] = [];

/** Adds the wait in a queue of this process to the delay of its work, milliseconds. */
export function addQueueDelay(delayMs: Delay): void {
  queueDelays.push(delayMs);
}

/** Returns the time that work waits for the database, for a connection or in a queue, milliseconds. */
export function workDelayMs(): number {
  return Math.max(poolDelayMs(), ...queueDelays.map((delayMs) => delayMs()));
}

interface Probe {
  /** The time at which the pending probe started to wait for a connection; null if there is no probe. */
  since: number | null;
  lastMs: number;
}

const probe: Probe = { since: null, lastMs: 0 };

/**
 * Returns the time that statements wait for a connection of the pool, milliseconds; 0 if none waits. It is measured by
 * a probe that waits for a connection, which runs only while statements wait too.
 */
function poolDelayMs(): number {
  const now = performance.now();
  if (probe.since !== null) return Math.max(now - probe.since, probe.lastMs);
  if (pool().waitingCount === 0) {
    probe.lastMs = 0;
    return 0;
  }
  probe.since = now;
  const finish = (): void => {
    probe.lastMs = performance.now() - now;
    probe.since = null;
  };
  pool()
    .connect()
    .then((client) => client.release())
    .then(finish, finish);
  return probe.lastMs;
}
