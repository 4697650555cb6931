import { isDatabaseUnavailable } from '../../platform/db/database-errors';
import { unseal } from '../../platform/secrets/crypto';
import { listKeys } from '../store/signing-keys';
import { KEY_PURPOSES } from './key-purposes';
import { findSigner, listPublishedKeys } from './keys';

/** The startup error when KEY_ENCRYPTION_KEY does not decrypt every stored signing key; null when it does. */
export async function findSealedKeyError(): Promise<string | null> {
  const keys = (await Promise.all(KEY_PURPOSES.map((purpose) => listKeys(purpose)))).flat();
  const unreadable = keys.filter(({ privateSealed }) => !canUnseal(privateSealed));
  if (unreadable.length === 0) return null;
  return (
    `KEY_ENCRYPTION_KEY: found a value that cannot decrypt ${unreadable.length} of ${keys.length} signing keys in the database; ` +
    'expected the value that they were encrypted with (in DATA_DIR/secrets.env if Parley generated it)'
  );
}

function canUnseal(sealed: string): boolean {
  try {
    unseal('signing-key', sealed);
    return true;
  } catch {
    return false;
  }
}

/**
 * The error that prevents signing or verifying tokens at `now`; null when there is none. Throws while the database is
 * unavailable.
 */
export async function findKeyError(now: Date): Promise<string | null> {
  if ((await listPublishedKeys(now)).length === 0) return 'found no published signing key; expected one';
  try {
    await findSigner('token', now);
    return null;
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    return 'the signing key cannot be decrypted; expected the KEY_ENCRYPTION_KEY that it was encrypted with';
  }
}
