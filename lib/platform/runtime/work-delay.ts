import { poolDelayMs } from '../db/pool-delay';

type Delay = () => number;

const queueDelays: Delay[] = [];

/** Counts the wait in a queue of this process as a delay of its work, milliseconds. */
export function addQueueDelay(delayMs: Delay): void {
  queueDelays.push(delayMs);
}

/** The waiting time of work for the database, for a connection or in a queue, milliseconds. */
export function workDelayMs(): number {
  return Math.max(poolDelayMs(), ...queueDelays.map((delayMs) => delayMs()));
}
