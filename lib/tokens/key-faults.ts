import { unseal } from '../platform/crypto';
import { KEY_PURPOSES } from './key-purposes';
import { findSigner, listPublishedKeys } from './keys';
import { listKeys } from './store/signing-keys';

/**
 * What is wrong with KEY_ENCRYPTION_KEY, by every signing key that the database holds sealed under it; null when it opens them all
 * or there are none yet.
 */
export async function findSealedKeyFault(): Promise<string | null> {
  const keys = (await Promise.all(KEY_PURPOSES.map((purpose) => listKeys(purpose)))).flat();
  const unreadable = keys.filter(({ privateSealed }) => !canUnseal(privateSealed));
  if (unreadable.length === 0) return null;
  return (
    `KEY_ENCRYPTION_KEY: found a value that does not open ${unreadable.length} of ${keys.length} signing keys in the database; ` +
    'expected the one that they were stored with (DATA_DIR/secrets.env where Parley made it itself)'
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

/** Why tokens cannot be signed or verified at `now`; null when they can. */
export async function findKeyFault(now: Date): Promise<string | null> {
  if ((await listPublishedKeys(now)).length === 0) return 'found no signing key that is published; expected one';
  try {
    await findSigner('token', now);
    return null;
  } catch {
    return 'the signing key cannot be opened; expected the KEY_ENCRYPTION_KEY that it was stored with';
  }
}
