import pg from 'pg';
import { REPLICA_LAG_LIMIT_MS, REPLICA_PROBE_TIMEOUT_MS } from '../../limits';
import { log } from '../../runtime/log';
import type { PrimaryHistory, WalPosition } from './freshness';
import { IDENTITY_COLUMNS, type Identity, ReplicaSession, replicaSettings } from './replica-session';

/** The primary as it was seen by a check. */
export interface PrimaryState extends WalPosition {
  /** Identifies the cluster, which a replica shares with its primary. */
  system: string;
}

type ReplicaStatus = PrimaryState & Identity;

/**
 * The timeline comes from the receiver if the role may read it (`pg_read_all_stats`), otherwise from the last
 * checkpoint, which is older: the replica is then left out for some minutes after a failover.
 */
const STATUS_SQL = `SELECT ${IDENTITY_COLUMNS}, coalesce((pg_last_wal_replay_lsn() - '0/0')::bigint, 0) AS lsn,
  (SELECT system_identifier::text FROM pg_control_system()) AS system,
  greatest((SELECT received_tli FROM pg_stat_wal_receiver), (SELECT timeline_id FROM pg_control_checkpoint())) AS timeline`;

/** `lagging`: more than 5 s behind the primary. `unavailable`: it does not respond, or is no standby of the primary. */
export type ReplicaState = 'usable' | 'lagging' | 'unavailable';

/** One server of `DATABASE_REPLICA_URL`. {@link check} must be called every second. */
export class Replica {
  private monitor: pg.Client | null = null;
  private current: ReplicaSession | null = null;
  /** The time up to which the replica has every write, of `performance.now()`. */
  private completeUntil = Number.NEGATIVE_INFINITY;
  private reported: ReplicaState | null = null;
  /** The reason why the last check failed; null if it succeeded. */
  failure: string | null = null;

  constructor(
    private readonly url: string,
    private readonly history: PrimaryHistory,
  ) {}

  /** Host and port, for logs and metrics. */
  get address(): string {
    return new URL(this.url).host;
  }

  get state(): ReplicaState {
    if (!this.current) return 'unavailable';
    return performance.now() - this.completeUntil <= REPLICA_LAG_LIMIT_MS ? 'usable' : 'lagging';
  }

  /** The connections, if the replica may be read. */
  get session(): ReplicaSession | null {
    return this.state === 'usable' ? this.current : null;
  }

  /** Upper bound of the lag; 0 if the replica had the latest known position of the primary. Null: unknown. */
  get lagSeconds(): number | null {
    if (!this.current || this.completeUntil === Number.NEGATIVE_INFINITY) return null;
    if (this.history.isCurrent(this.current.position)) return 0;
    return Math.round(performance.now() - this.completeUntil) / 1_000;
  }

  /** Reads the state of the replica. Never throws. `primary` is null if the primary did not respond. */
  async check(primary: PrimaryState | null): Promise<void> {
    try {
      const monitor = this.monitor ?? (await this.connect());
      const { rows } = await monitor.query<ReplicaStatus>(STATUS_SQL);
      const [status] = rows;
      if (!status?.isStandby) throw new Error('The server is not a standby.');
      if (primary && primary.system !== status.system) throw new Error('The server belongs to another cluster.');
      this.apply(status, monitor);
      this.failure = null;
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      this.close();
    }
    this.report();
  }

  private apply({ startedAt, lsn, timeline }: ReplicaStatus, monitor: pg.Client): void {
    const position = { lsn, timeline: Math.max(timeline, this.current?.position.timeline ?? 0) };
    if (!this.current) {
      this.current = new ReplicaSession({ url: this.url, monitor }, startedAt, position);
      this.completeUntil = Number.NEGATIVE_INFINITY;
    }
    this.current.position = position;
    this.completeUntil = Math.max(this.completeUntil, this.history.completeUntil(position));
  }

  private report(): void {
    const { state, lagSeconds } = this;
    if (state === this.reported) return;
    const record = state === 'usable' ? log.info : log.warn;
    record('database.replica', { replica: this.address, state, lagSeconds, reason: this.failure ?? undefined });
    this.reported = state;
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...replicaSettings(this.url),
      connectionTimeoutMillis: REPLICA_PROBE_TIMEOUT_MS,
      query_timeout: REPLICA_PROBE_TIMEOUT_MS,
    });
    this.monitor = client;
    // The server has stopped or restarted, so its position is not known any more.
    client.on('error', () => {
      if (this.monitor === client) this.close();
    });
    await client.connect();
    return client;
  }

  /** Closes all connections. The next check opens new ones. */
  close(): void {
    this.current?.close();
    this.monitor?.connection.stream.destroy();
    Object.assign(this, { monitor: null, current: null });
  }
}
