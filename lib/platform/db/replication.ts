import { REPLICATION_CACHE_MS } from '../limits';
import { mainCluster } from './primary';
import { bool, int4, row } from './rows';

/** The kind of replication, which determines which commits a failover of the database may lose. */
export type Replication =
  /** No server replicates the database, as far as PostgreSQL knows. */
  | 'none'
  /** A commit is acknowledged after a standby has stored it. */
  | 'synchronous'
  /** A commit is acknowledged before a standby has it: a failover may lose the last ones. */
  | 'asynchronous';

const replicationRow = row({ standbys: int4(), isSynchronous: bool() });
/** Only `on` and `remote_apply` wait until a standby has the commit on disk. */
const REPLICATION_SQL = `SELECT (SELECT count(*)::int FROM pg_stat_replication) AS standbys,
  current_setting('synchronous_standby_names') <> ''
    AND current_setting('synchronous_commit') IN ('on', 'remote_apply') AS "isSynchronous"`;

const cache: { value: Replication | null; readAt: number } = { value: null, readAt: Number.NEGATIVE_INFINITY };

/**
 * Returns the replication of the database, read at most every {@link REPLICATION_CACHE_MS}.
 * @throws the error of the database
 */
export async function readReplication(): Promise<Replication> {
  if (cache.value && performance.now() - cache.readAt < REPLICATION_CACHE_MS) return cache.value;
  const { standbys = 0, isSynchronous = false } =
    (await replicationRow.queryFirst('platform-replication', REPLICATION_SQL)) ?? {};
  const isReplicated = standbys > 0 || mainCluster().urls.length > 1;
  const value = isSynchronous ? 'synchronous' : isReplicated ? 'asynchronous' : 'none';
  Object.assign(cache, { value, readAt: performance.now() });
  return value;
}
