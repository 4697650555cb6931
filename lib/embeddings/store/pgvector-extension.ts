import type { Connection } from '../../platform/db/connections';
import { databaseCodeOf } from '../../platform/db/database-errors';

/** The availability of pgvector, with its version or the reason why it cannot be used. */
export interface PgvectorState {
  isUsable: boolean;
  detail: string;
}

/** Minimum minor version: the first one with iterative index scans, without which a filter could empty a result. */
const oldestMinor = 8;

const insufficientPrivilege = '42501';
/** Another node created it at the same moment. */
const createdMeanwhile = ['23505', '42710'];

/**
 * Determines the availability of pgvector; installs the extension if the database offers it and the role has
 * permission.
 * @throws the database's error when it is not about the extension
 */
export async function installPgvector(connection: Connection): Promise<PgvectorState> {
  const { rows: offered } = await connection.query(
    `SELECT installed_version FROM pg_available_extensions WHERE name = 'vector'`,
  );
  if (!offered[0]) return refused('the database does not offer it');
  if (offered[0].installed_version === null) {
    const refusal = await createExtension(connection);
    if (refusal) return refusal;
  }
  const { rows } = await connection.query(
    `SELECT (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS version,
       to_regtype('vector') IS NOT NULL AND to_regtype('halfvec') IS NOT NULL AS usable`,
  );
  const version = String(rows[0]?.version);
  if (isTooOld(version)) return refused(`its version ${version} is older than 0.${oldestMinor}`);
  if (rows[0]?.usable !== true) return refused('its schema is not in the search path');
  return { isUsable: true, detail: version };
}

async function createExtension(connection: Connection): Promise<PgvectorState | null> {
  try {
    await connection.query('CREATE EXTENSION IF NOT EXISTS vector');
    return null;
  } catch (error) {
    const code = databaseCodeOf(error);
    if (createdMeanwhile.includes(code)) return null;
    if (code === insufficientPrivilege) return refused('the role may not create the extension');
    throw error;
  }
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 0 && minor < oldestMinor;
}

function refused(detail: string): PgvectorState {
  return { isUsable: false, detail };
}
