import type { Actor } from '../../context';
import type { REPLICA_CATCH_UP_MS, REPLICA_LAG_LIMIT_MS } from '../../limits';
import { REPLICA_CHECK_INTERVAL_MS } from '../../limits';
import { replicaUrlsOf } from '../../runtime/database-url';
import { env } from '../../runtime/env';
import { errorFields, log } from '../../runtime/log';
import { once } from '../../runtime/once';
import { pool } from '../sql';
import { PrimaryHistory, shareNext, type WalPosition } from './freshness';
import { currentReadContext, leaveReplica, runInReadContext } from './read-context';
import { type PrimaryState, Replica, type ReplicaState } from './replica';
import type { ReplicaSession } from './replica-session';

/**
 * A position that no acknowledged commit exceeds. A standby receives only what the primary has flushed, and a commit is
 * acknowledged after that, unless `synchronous_commit` is off.
 */
const ACKNOWLEDGED_SQL = `(SELECT CASE current_setting('synchronous_commit')
  WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END AS lsn) w`;
const POSITION_COLUMNS = `(lsn - '0/0')::bigint AS lsn, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int AS timeline`;

interface Replicas {
  all: Replica[];
  /** Index of the replica that the next reader tries first. */
  next: number;
  timer: NodeJS.Timeout | null;
  isChecking: boolean;
}

const history = new PrimaryHistory();

const replicas = once((): Replicas => {
  const urls = replicaUrlsOf(env().DATABASE_REPLICA_URL ?? '');
  return { all: urls.map((url) => new Replica(url, history)), next: 0, timer: null, isChecking: false };
});

/** Begins to watch the servers of `DATABASE_REPLICA_URL`. Until the first check, all reads go to the primary. */
export function startReplicas(): void {
  const state = replicas();
  if (state.all.length === 0 || state.timer) return;
  state.timer = setInterval(checkReplicas, REPLICA_CHECK_INTERVAL_MS).unref();
  checkReplicas();
}

export function stopReplicas(): void {
  const { all, timer } = replicas();
  if (timer) clearInterval(timer);
  for (const replica of all) replica.close();
}

function checkReplicas(): void {
  const state = replicas();
  if (state.isChecking) return;
  state.isChecking = true;
  void checkAll(state.all).finally(() => {
    state.isChecking = false;
  });
}

/** Never throws. */
async function checkAll(all: Replica[]): Promise<void> {
  const at = performance.now();
  const primary = await readPrimary().catch((error) => {
    log.debug('database.replica_check_failed', errorFields(error));
    return null;
  });
  if (primary) history.add({ ...primary, at });
  await Promise.all(all.map((replica) => replica.check(primary)));
}

async function readPrimary(): Promise<PrimaryState> {
  const { rows } = await pool().query<PrimaryState>({
    name: 'replicas-primary',
    text: `SELECT ${POSITION_COLUMNS}, (SELECT system_identifier::text FROM pg_control_system()) AS system
      FROM ${ACKNOWLEDGED_SQL}`,
  });
  return rows[0] as PrimaryState;
}

/** Requests the position of the primary. */
const readWatermark = shareNext(async (): Promise<WalPosition> => {
  const { rows } = await pool().query<WalPosition>({
    name: 'replicas-watermark',
    text: `SELECT ${POSITION_COLUMNS} FROM ${ACKNOWLEDGED_SQL}`,
  });
  return rows[0] as WalPosition;
});

/**
 * Runs `work`. Its read statements (those of `rows.ts` and of Prisma's `db()`) go to a replica if one qualifies,
 * otherwise to the primary. Writes and transactions always use the primary; afterwards, so do the reads of `work`. A
 * read that fails at the replica is repeated at the primary.
 *
 * A reader with an identity sees every write that any node acknowledged before this call: after the call begins, the
 * primary is asked for its WAL position. A commit is acknowledged only after its record was flushed to the WAL, so each
 * such commit is below that position, and only a replica that has replayed the position is read. The timelines must
 * match too, because positions of different timelines cannot be compared. If no replica reaches the position within
 * {@link REPLICA_CATCH_UP_MS}, the primary is read. Anonymous readers have no writes of their own, so they may read
 * from any replica whose data is at most {@link REPLICA_LAG_LIMIT_MS} old.
 */
export async function readFromReplica<T>({ actor }: { actor: Actor }, work: () => Promise<T>): Promise<T> {
  if (replicas().all.length === 0) return work();
  const isAnonymous = actor.kind === 'anonymous';
  const context = { target: await chooseReplica(isAnonymous), changes: 0, isOver: false };
  try {
    return await runInReadContext(context, work);
  } finally {
    Object.assign(context, { target: null, isOver: true });
  }
}

/**
 * Chooses again for the rest of the caller's work, so that it reads what it has just written. Has no effect outside
 * {@link readFromReplica}.
 */
export async function chooseReplicaAgain(): Promise<void> {
  const context = currentReadContext();
  if (!context || context.isOver) return;
  leaveReplica();
  const { changes } = context;
  const chosen = await chooseReplica(false);
  if (context.changes === changes && !context.isOver) context.target = chosen;
}

async function chooseReplica(isAnonymous: boolean): Promise<ReplicaSession | null> {
  const state = replicas();
  const start = state.next++ % state.all.length;
  const sessions = [...state.all.slice(start), ...state.all.slice(0, start)].flatMap(({ session }) => session ?? []);
  const [first] = sessions;
  if (!first || isAnonymous) return first ?? null;
  const watermark = await readWatermark().catch(() => null);
  if (!watermark) return null;
  const current = sessions.find((session) => session.has(watermark));
  if (current) return current;
  return (await first.catchUp(watermark)) ? first : null;
}

/**
 * Checks each replica once and closes the connections; for commands. `reason` states why the replica cannot be read;
 * null if it can.
 */
export async function inspectReplicas(): Promise<{ address: string; reason: string | null }[]> {
  const { all } = replicas();
  await checkAll(all);
  const found = all.map(({ address, failure }) => ({ address, reason: failure }));
  stopReplicas();
  return found;
}

/** Returns the state of each replica, without its address; undefined if there is none. */
export function describeReplicas(): { state: ReplicaState; lagSeconds: number | null }[] | undefined {
  const { all } = replicas();
  return all.length > 0 ? all.map(({ state, lagSeconds }) => ({ state, lagSeconds })) : undefined;
}

/** Returns the lag of each replica in seconds, by its address. Omits replicas whose lag is not known. */
export function measureReplicaLags(): { replica: string; seconds: number }[] {
  return replicas().all.flatMap(({ address: replica, lagSeconds: seconds }) =>
    seconds === null ? [] : [{ replica, seconds }],
  );
}
