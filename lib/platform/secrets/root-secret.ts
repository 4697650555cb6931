import { databaseCodeOf } from '../db/database-errors';
import { row, text } from '../db/rows';
import { execute } from '../db/sql';
import { env } from '../runtime/env';
import { hasRootSecret, seal, setRootSecret, unseal } from './crypto';

const sealedRow = row({ sealed: text() });

/**
 * Loads the root secret, from which every hash, MAC and derived id is computed. The first node creates it from
 * KEY_ENCRYPTION_KEY, with which older releases derive keys. Does nothing once it is loaded.
 *
 * @returns the reason why this node cannot use it, or null
 */
export async function loadRootSecret(): Promise<string | null> {
  if (hasRootSecret()) return null;
  try {
    const { KEY_ENCRYPTION_KEY, KEY_DECRYPTION_KEY } = env();
    let sealed = await selectSealed();
    if (sealed === null && KEY_DECRYPTION_KEY !== undefined)
      return 'KEY_DECRYPTION_KEY: found a value; expected none at the first start of this release, which stores the root secret';
    if (sealed === null) {
      const statement = 'INSERT INTO root_secret (sealed) VALUES ($1) ON CONFLICT DO NOTHING';
      await execute('create-root-secret', statement, [seal('root-secret', KEY_ENCRYPTION_KEY)]);
      sealed = await selectSealed();
    }
    if (sealed === null) return 'found no root secret in the database; expected the one that this node created';
    return open(sealed);
  } catch (error) {
    // The schema is older than the table: the node is not ready until the migrations are applied.
    if (databaseCodeOf(error) === '42P01') return null;
    throw error;
  }
}

/**
 * The reason why the stored root secret cannot be used; null if it can be used, or does not exist yet. Does not change
 * any data.
 */
export async function findRootSecretError(): Promise<string | null> {
  const sealed = await selectSealed();
  return sealed === null ? null : open(sealed);
}

async function selectSealed(): Promise<string | null> {
  return (await sealedRow.queryFirst('root-secret', 'SELECT sealed FROM root_secret'))?.sealed ?? null;
}

function open(sealed: string): string | null {
  try {
    setRootSecret(unseal('root-secret', sealed));
    return null;
  } catch {
    return (
      'KEY_ENCRYPTION_KEY: found a value that cannot decrypt the root secret in the database; ' +
      'expected the value that it was encrypted with'
    );
  }
}
