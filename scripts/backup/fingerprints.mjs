/** Settings for text forms that do not depend on the settings of the server or the role. */
const TEXT_SETTINGS = `SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0;
  SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET extra_float_digits = 1;
  SET bytea_output = 'hex'; SET search_path = public`;

/** Partitions are read through their tables. */
const TABLES = `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`;

/** @typedef {Record<string, { rows: number, checksum: string }>} Fingerprints by table */

/**
 * Prepares a connection for reading fingerprints, which are those of its transaction.
 *
 * @param {import('pg').Client} client
 * @returns {Promise<void>}
 */
export async function prepareFingerprints(client) {
  await client.query(TEXT_SETTINGS);
}

/**
 * Reads the number of rows of each table and a checksum that does not depend on their order: the sum of the first 64
 * bits of each row's SHA-256.
 *
 * @param {import('pg').Client} client after {@link prepareFingerprints}
 * @returns {Promise<Fingerprints>}
 */
export async function readFingerprints(client) {
  const { rows: tables } = await client.query(TABLES);
  const fingerprints = {};
  for (const { name } of tables) {
    const { rows } = await client.query(
      `SELECT count(*) AS rows, coalesce(sum(('x' || encode(substr(sha256(convert_to(t::text, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint), 0)::text
         AS checksum FROM ${client.escapeIdentifier(name)} t`,
    );
    fingerprints[name] = { rows: Number(rows[0].rows), checksum: rows[0].checksum };
  }
  return fingerprints;
}

/**
 * Returns the differences between two databases, one line per table.
 *
 * @param {Fingerprints} expected
 * @param {Fingerprints} found
 * @returns {string[]}
 */
export function differences(expected, found) {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
  return names.flatMap((name) => {
    const [before, now] = [expected[name], found[name]];
    if (!now) return [`${name}: is missing; expected ${before.rows} rows`];
    if (!before) return [`${name}: found a table that the backup does not have`];
    if (before.rows !== now.rows) return [`${name}: found ${now.rows} rows; expected ${before.rows}`];
    return before.checksum === now.checksum ? [] : [`${name}: has the expected ${now.rows} rows with other contents`];
  });
}
