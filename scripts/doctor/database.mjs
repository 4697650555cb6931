import { connectTo } from '../migrate.mjs';
import { primaryUrl } from '../primary-url.mjs';
import { fail, ok, textOf, warn } from './finding.mjs';

const MIN_VERSION = 15;

const FACTS = `SELECT current_setting('server_version') AS version,
  has_schema_privilege(current_schema(), 'CREATE') AS "mayCreate",
  has_database_privilege(current_database(), 'TEMP') AS "mayUseTemporary",
  (SELECT bool_and(pg_has_role(relowner, 'MEMBER')) FROM pg_class
   WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')) AS "ownsTables",
  pg_is_in_recovery() AS standby,
  ARRAY(SELECT extname || ' ' || extversion FROM pg_extension ORDER BY 1) AS installed,
  ARRAY(SELECT name::text FROM pg_available_extensions WHERE name IN ('pg_trgm', 'vector') ORDER BY 1) AS available,
  current_setting('server_encoding') AS encoding,
  lower('É') = 'é' AS "foldsCase"`;

/**
 * Returns the findings of the database, by check; `null` if it cannot be reached, with a finding that states the
 * reason.
 *
 * @param {string | undefined} url
 * @returns {Promise<Record<string, import('./finding.mjs').Finding>>}
 */
export async function checkDatabase(url) {
  if (!url)
    return { database: fail('DATABASE_URL is not set', 'set it to postgresql://user:password@host:5432/database') };
  let client;
  try {
    client = await connectTo(await primaryUrl(url));
    const { rows } = await client.query(FACTS);
    return findingsOf(rows[0]);
  } catch (error) {
    return { database: fail(textOf(error), 'check host, port, user and password, and that the server accepts them') };
  } finally {
    await client?.end();
  }
}

/**
 * Returns the findings for one row of facts.
 *
 * @param {Record<string, any>} facts
 * @returns {Record<string, import('./finding.mjs').Finding>}
 */
export function findingsOf(facts) {
  const { version, standby, encoding, foldsCase } = facts;
  const database =
    Number.parseInt(version, 10) < MIN_VERSION
      ? fail(`PostgreSQL ${version} is too old`, `upgrade it to ${MIN_VERSION} or newer`)
      : standby
        ? fail(`PostgreSQL ${version} is a standby`, 'set DATABASE_URL to the primary')
        : encoding !== 'UTF8'
          ? fail(`the database has the encoding ${encoding}`, 'create it with ENCODING UTF8')
          : foldsCase
            ? ok(`PostgreSQL ${version}`)
            : warn(
                `PostgreSQL ${version}; its locale knows only ASCII`,
                'create the database with LOCALE C.UTF-8 or a language',
              );
  return { database, permissions: permissionsOf(facts), extensions: extensionsOf(facts) };
}

function permissionsOf({ mayCreate, mayUseTemporary, ownsTables }) {
  const missing = [
    ...(mayCreate ? [] : ['CREATE in the schema']),
    ...(mayUseTemporary ? [] : ['TEMP in the database']),
    ...(ownsTables === false ? ['ownership of all tables'] : []),
  ];
  if (missing.length === 0) return ok('the role may create tables and owns those of Parley');
  return warn(`the role lacks ${missing.join(', ')}`, 'grant them to the role with which parley migrate runs');
}

function extensionsOf({ installed, available }) {
  const has = (name) => installed.some((extension) => extension.startsWith(`${name} `));
  if (!has('pg_trgm') && !available.includes('pg_trgm'))
    return fail('the server does not offer pg_trgm', "install PostgreSQL's contrib package on the server");
  const vector = has('vector')
    ? ''
    : available.includes('vector')
      ? '; vector is available'
      : '; vector is not offered';
  return ok(`${installed.join(', ')}${vector}`);
}
