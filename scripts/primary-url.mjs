import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from './cli-output.mjs';
import { bundleOf } from './program.mjs';

const CONNECT_MS = 2_000;
/** A failover takes this long. */
const SEARCH_MS = 30_000;
const PAUSE_MS = 500;

/**
 * Returns the URL of the server that accepts writes among the hosts of a `DATABASE_URL`. A URL with one host is returned
 * unchanged.
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
  for (const startedAt = performance.now(); performance.now() - startedAt < SEARCH_MS; ) {
    const writable = await Promise.all(urls.map(acceptsWrites));
    const at = writable.indexOf(true);
    if (at >= 0) return urls[at];
    await sleep(PAUSE_MS);
  }
  throw new CliError(
    `none of the ${urls.length} servers of DATABASE_URL accepted writes within ${SEARCH_MS / 1_000} s`,
  );
}

async function acceptsWrites(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('SHOW transaction_read_only');
    return rows[0].transaction_read_only === 'off';
  } catch {
    return false;
  } finally {
    client.end().catch(() => undefined);
  }
}
