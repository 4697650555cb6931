const POLL_MS = 250;

/**
 * Observes, over a separate connection, the processes that block a backend.
 *
 * @param {import('pg').Client} monitor used exclusively until `stop`
 * @param {number} pid of the backend
 * @returns {{ stop: () => Promise<string> }} `stop` returns a description of the last blocking processes, for an
 *   operator. It never contains a statement, which may contain data
 */
export function watchBlockers(monitor, pid) {
  let found = 'what holds the lock was not seen';
  let pending = null;
  const poll = async () => {
    const { rows } = await monitor.query(
      `SELECT pid, application_name AS application, state, round(extract(epoch FROM now() - xact_start)) AS seconds
       FROM pg_stat_activity WHERE pid = ANY(pg_blocking_pids($1))`,
      [pid],
    );
    if (rows.length > 0) found = `held by ${rows.map(describe).join(', ')}`;
  };
  const timer = setInterval(() => {
    // If this fails, the migration still runs.
    pending ??= poll().then(
      () => (pending = null),
      () => clearInterval(timer),
    );
  }, POLL_MS);
  return {
    async stop() {
      clearInterval(timer);
      await pending;
      return found;
    },
  };
}

/** Describes a process. A role without pg_read_all_stats sees only the process ids of other roles. */
function describe({ pid, application, state, seconds }) {
  const details = [application, state, seconds === null ? null : `transaction open for ${seconds} s`].filter(Boolean);
  return details.length > 0 ? `process ${pid} (${details.join(', ')})` : `process ${pid}`;
}
