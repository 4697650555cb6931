import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../../generated/prisma/client';
import {
  REPLICA_CATCH_UP_MS,
  REPLICA_CONNECT_TIMEOUT_MS,
  REPLICA_POLL_INTERVAL_MS,
  REPLICA_QUERY_TIMEOUT_MS,
  SERVER_KEEP_ALIVE_OPTIONS,
} from '../../limits';
import { env } from '../../runtime/env';
import { errorFields, log } from '../../runtime/log';
import { once } from '../../runtime/once';
import { connectionSettings } from '../database-connection';
import { databaseCodeOf } from '../database-errors';
import { pool as primaryPool } from '../sql';
import { shareNext, type WalPosition } from './freshness';
import { countRead, leaveReplica, type ReadTarget } from './read-context';

/** The values of {@link IDENTITY_COLUMNS}. */
export interface Identity {
  isStandby: boolean;
  startedAt: string;
}

/** Identifies a server and its start. */
export const IDENTITY_COLUMNS =
  'pg_is_in_recovery() AS "isStandby", extract(epoch FROM pg_postmaster_start_time())::text AS "startedAt"';
const POSITION_SQL = `SELECT (pg_last_wal_replay_lsn() - '0/0')::bigint AS lsn`;
/** A statement that exceeded its timeout would take as long at the primary. */
const QUERY_CANCELED = '57014';

/** Returns the connection settings of a replica. Its connections reject writes even after a promotion. */
export function replicaSettings(url: string): pg.ClientConfig {
  return {
    ...connectionSettings(),
    connectionString: url,
    connectionTimeoutMillis: REPLICA_CONNECT_TIMEOUT_MS,
    query_timeout: REPLICA_QUERY_TIMEOUT_MS,
    options: `${SERVER_KEEP_ALIVE_OPTIONS} -c default_transaction_read_only=on`,
  };
}

/**
 * The connections to one replica between two starts of its server. The position therefore never decreases, although a
 * server that restarts after a crash may have replayed less than before.
 */
export class ReplicaSession implements ReadTarget {
  /** Each session has its own client, because Prisma combines concurrent lookups into one statement. */
  readonly prisma = once((): PrismaClient => new PrismaClient({ adapter: new PrismaPg(this.pool) }));
  readonly pool: pg.Pool;
  private readonly send: (config: pg.QueryConfig) => Promise<pg.QueryResult>;
  private readonly clients = new Set<pg.PoolClient>();
  /** Requests the position, which several readers share. */
  private readonly poll: () => Promise<unknown>;
  /** The position for which a reader last waited in vain. */
  private missedLsn = 0;

  /** `monitor` is a connection to the same server. */
  constructor(
    { url, monitor }: { url: string; monitor: pg.Client },
    private readonly startedAt: string,
    public position: WalPosition,
  ) {
    this.poll = shareNext(async () => {
      const { rows } = await monitor.query<{ lsn: number }>({ name: 'replica-position', text: POSITION_SQL });
      if (rows[0]) this.position = { ...this.position, lsn: rows[0].lsn };
    });
    this.pool = new pg.Pool({
      ...replicaSettings(url),
      max: Math.ceil(env().DATABASE_POOL_SIZE / 2),
      verify: (client, done) => this.verify(client).then(() => done(), done),
    });
    const onError = (error: Error): void => log.debug('database.replica_connection_lost', errorFields(error));
    this.pool.on('error', onError);
    this.pool.on('connect', (client) => {
      this.clients.add(client);
      // The failed statement reports the error to its caller.
      client.on('error', onError);
    });
    this.pool.on('remove', (client) => this.clients.delete(client));
    this.send = this.pool.query.bind(this.pool);
    // Prisma sends its reads through this method.
    Object.assign(this.pool, { query: (config: pg.QueryConfig) => this.query(config) });
  }

  /** Runs a statement at the replica, or at the primary if the replica fails or rejects it. */
  query(config: pg.QueryConfig): Promise<pg.QueryResult> {
    return this.orAtPrimary(
      () => this.send(config),
      () => primaryPool().query(config),
    );
  }

  async orAtPrimary<T>(work: () => Promise<T>, atPrimary: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      countRead('replica');
      return result;
    } catch (error) {
      if (databaseCodeOf(error) === QUERY_CANCELED) throw error;
      leaveReplica();
      countRead('repeated');
      log.debug('database.read_repeated', errorFields(error));
      return atPrimary();
    }
  }

  /** Rejects a connection to another server, such as one behind a load balancer, whose position is not known. */
  private async verify(client: pg.PoolClient): Promise<void> {
    const { rows } = await client.query<Identity>(`SELECT ${IDENTITY_COLUMNS}`);
    if (rows[0]?.isStandby && rows[0].startedAt === this.startedAt) return;
    throw new Error(
      'DATABASE_REPLICA_URL: found different servers at one address; expected the address of one replica.',
    );
  }

  has({ lsn, timeline }: WalPosition): boolean {
    return this.position.timeline === timeline && this.position.lsn >= lsn;
  }

  /**
   * Returns true as soon as the replica has replayed a position, false if that takes more than {@link
   * REPLICA_CATCH_UP_MS}. After a timeout, the position is requested only once until the replica has reached it.
   */
  async catchUp(wanted: WalPosition): Promise<boolean> {
    const deadline = performance.now() + REPLICA_CATCH_UP_MS;
    const isBehind = this.position.lsn < this.missedLsn;
    while (!this.has(wanted)) {
      const left = deadline - performance.now();
      if (left <= 0 || wanted.timeline !== this.position.timeline) break;
      const polled = await Promise.race([this.poll().then(isTrue, isFalse), delay(left, false)]);
      if (!polled || this.has(wanted) || isBehind) break;
      await delay(Math.min(left, REPLICA_POLL_INTERVAL_MS));
    }
    if (this.has(wanted)) return true;
    this.missedLsn = Math.max(this.missedLsn, wanted.lsn);
    return false;
  }

  /** Closes the connections. Statements in progress fail and are repeated at the primary. */
  close(): void {
    for (const client of this.clients) {
      (client as pg.PoolClient & { connection: { stream: Socket } }).connection.stream.destroy();
    }
    this.pool.end().catch((error) => log.debug('database.replica_connection_lost', errorFields(error)));
  }
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;
