import pg from 'pg';
import { PRIMARY_CHECK_INTERVAL_MS, PRIMARY_PROBE_TIMEOUT_MS, PRIMARY_SEARCH_INTERVAL_MS } from '../limits';
import { databaseUrlsOf } from '../runtime/database-url';
import { env } from '../runtime/env';
import { errorFields, log } from '../runtime/log';
import { once } from '../runtime/once';

/** A server that accepts writes. */
export interface Primary {
  host: string;
  port: number;
  /** The WAL timeline. Each promotion increments it, so that a former primary has a lower one. */
  timeline: number;
}

/** No server of a database accepts writes, or only a former primary does. A later attempt may succeed. */
export class NoPrimaryError extends Error {
  override readonly name = 'NoPrimaryError';
  /** SQLSTATE `cannot_connect_now`. */
  readonly code = '57P03';
}

/** The servers of one database. If there are several, the node finds the primary among them. */
export class Cluster {
  private primary: Primary | null = null;
  /** The highest timeline that this node has seen. */
  private timeline = 0;
  private searching: Promise<Primary> | null = null;
  private readonly promotionListeners: ((timeline: number) => void)[] = [];

  /** `urls`: one per server, at least one. */
  constructor(readonly urls: string[]) {}

  /** Calls `listener` with the new timeline when this node finds that a server was promoted. */
  onPromotion(listener: (timeline: number) => void): void {
    this.promotionListeners.push(listener);
  }

  /**
   * Returns the server that accepts writes; null if there is only one server. A former primary is never returned, even
   * if it still accepts writes.
   * @throws {NoPrimaryError} code 57P03
   */
  async findPrimary(): Promise<Primary | null> {
    if (this.urls.length === 1) return null;
    this.checkPeriodically();
    return this.primary ?? this.search();
  }

  /** Requests a new search, because a connection to this server failed or was lost. */
  forgetPrimary(primary: Primary): void {
    if (this.primary === primary) this.primary = null;
  }

  /**
   * Checks the timeline of a connection that accepts writes. A higher one than before means that another server was
   * promoted.
   * @throws {NoPrimaryError} for a former primary
   */
  checkTimeline(timeline: number): void {
    const expected = this.timeline;
    if (timeline < expected) {
      log.warn('database.former_primary', { timeline, expected });
      throw new NoPrimaryError(`Only a former primary accepts writes (timeline ${timeline}, expected ${expected}).`);
    }
    if (timeline === expected) return;
    if (expected > 0) log.info('database.promotion_found', { timeline });
    this.timeline = timeline;
    for (const listener of this.promotionListeners) listener(timeline);
  }

  /**
   * Searches once for all callers that wait. A failure is reused for a short time, so that many callers do not cause
   * many searches.
   */
  private search(): Promise<Primary> {
    this.searching ??= this.probeAll().then(
      (found) => {
        this.searching = null;
        return found;
      },
      (error: unknown) => {
        setTimeout(() => {
          this.searching = null;
        }, PRIMARY_SEARCH_INTERVAL_MS).unref();
        throw error;
      },
    );
    return this.searching;
  }

  /** Waits for every server, because a former primary may respond before the new one. */
  private async probeAll(): Promise<Primary> {
    const found = (await Promise.all(this.urls.map(probe))).filter((one) => one !== null);
    const timeline = Math.max(...found.map((one) => one.timeline));
    const newest = found.filter((one) => one.timeline === timeline);
    const [first] = newest;
    if (!first) throw new NoPrimaryError('None of the servers accepts writes.');
    this.checkTimeline(timeline);
    const { primary } = this;
    const isKnown = newest.some(({ host, port }) => host === primary?.host && port === primary.port);
    if (primary && isKnown && primary.timeline === timeline) return primary;
    this.primary = first;
    return first;
  }

  /** Finds a promoted server even if the connections to the former primary still work. */
  private readonly checkPeriodically = once((): void => {
    setInterval(() => {
      if (!this.searching) this.probeAll().catch((error) => log.debug('database.no_primary', errorFields(error)));
    }, PRIMARY_CHECK_INTERVAL_MS).unref();
  });
}

/** The servers of `DATABASE_URL`. */
export const mainCluster = once((): Cluster => new Cluster(databaseUrlsOf(env().DATABASE_URL)));

/** A standby cannot name the WAL file that it would write, so the function is called on a primary only. */
const TIMELINE_SQL = `SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_insert_lsn()) END AS file,
  current_setting('transaction_read_only') = 'off' AS "isWritable"`;

/** Returns the timeline that the server writes; null for a standby or a server that is read-only. */
export async function readTimeline(client: pg.ClientBase): Promise<number | null> {
  const { rows } = await client.query<{ file: string | null; isWritable: boolean }>(TIMELINE_SQL);
  const [{ file = null, isWritable = false } = {}] = rows;
  return file !== null && isWritable ? Number.parseInt(file.slice(0, 8), 16) : null;
}

/** Returns null if the server is a standby, is read-only or does not respond in time. */
async function probe(url: string): Promise<Primary | null> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PRIMARY_PROBE_TIMEOUT_MS,
    query_timeout: PRIMARY_PROBE_TIMEOUT_MS,
    application_name: 'parley_probe',
  });
  client.on('error', (error) => log.debug('database.probe_failed', errorFields(error)));
  try {
    await client.connect();
    const timeline = await readTimeline(client);
    return timeline === null ? null : { host: client.host, port: client.port, timeline };
  } catch (error) {
    log.debug('database.probe_failed', errorFields(error));
    return null;
  } finally {
    // A server that does not respond would not close the connection either.
    const { stream } = (client as pg.Client & { connection: { stream: { destroySoon: () => void } } }).connection;
    stream.destroySoon();
  }
}
