import { pool } from './sql';

interface Probe {
  /** When the pending probe began to wait for a connection; null without one. */
  since: number | null;
  lastMs: number;
}

const probe: Probe = { since: null, lastMs: 0 };

/**
 * How long statements wait for a connection of the pool, milliseconds; 0 when none waits. Measured by waiting for one,
 * only while others wait too.
 */
export function poolDelayMs(): number {
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
