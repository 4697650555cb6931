import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from './cli-output.mjs';
import { bundleOf } from './program.mjs';

const CONNECT_MS = 2_000;
/** A failover takes this long. */
const SEARCH_MS = 30_000;
const PAUSE_MS = 500;

/**
 * Returns the URL of the primary among the hosts of a `DATABASE_URL`. A URL with one host is returned unchanged.
 *
 * @param {string} url
 * @returns {Promise<string>}
 * @throws {CliError} if no server accepts writes for 30 s
 */
export async function primaryUrl(url) {
  if (!/^[^/]*\/\/[^/?#]*,/.test(url)) return url;
  const { databaseUrlsOf } = await import(bundleOf('database-url'));
  const urls = databaseUrlsOf(url);
  if (urls.length === 0)
    throw new CliError('DATABASE_URL is invalid; expected postgresql://user@host1:5432,host2:5432/database');
  if (urls.length === 1) return url;
  for (const startedAt = performance.now(); performance.now() - startedAt < SEARCH_MS; ) {
    const timelines = await Promise.all(urls.map(readTimeline));
    const newest = Math.max(...timelines);
    if (newest > 0) return urls[timelines.indexOf(newest)];
    await sleep(PAUSE_MS);
  }
  throw new CliError(
    `none of the ${urls.length} servers of DATABASE_URL accepted writes within ${SEARCH_MS / 1_000} s`,
  );
}

/** Returns the WAL timeline of a primary, which each promotion increments; 0 for a standby or without a response. */
async function readTimeline(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(
      `SELECT CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END AS timeline`,
    );
    return Number.parseInt(rows[0].timeline ?? '0', 16);
  } catch {
    return 0;
  } finally {
    client.end().catch(() => undefined);
  }
}
