import { isDatabaseUnavailable } from '../platform/db/database-errors';
import { EnvError } from '../platform/runtime/env';
import { errorFields, log } from '../platform/runtime/log';
import { joinPeers } from '../platform/runtime/peers';
import { ReleaseError } from '../platform/runtime/release';
import { findNodesWithOtherKeys } from '../platform/secrets/reencrypt';
import { loadRootSecret } from '../platform/secrets/root-secret';
import { ensureSigningKeys, findSealedKeyError } from '../tokens';

/** Fails the start if this release is not compatible with the database or the other nodes. */
export async function joinAtStart(): Promise<void> {
  const refusal = await joinPeers(new Date());
  if (refusal) throw new ReleaseError(refusal);
}

/** Fails the start when the sealing key does not match the database; otherwise every call would fail. */
export async function prepareKeys(): Promise<void> {
  const keyError = (await findSealedKeyError()) ?? (await loadRootSecret());
  if (keyError) throw new EnvError(keyError);
  const others = await findNodesWithOtherKeys('decrypt');
  if (others.length > 0) {
    throw new EnvError(
      `KEY_ENCRYPTION_KEY: found running nodes that cannot decrypt what it encrypts: ${others.join(', ')}; ` +
        'expected all nodes to have it, first as KEY_DECRYPTION_KEY',
    );
  }
  await ensureSigningKeys(new Date());
}

/** A node may start without a writable database: it is not ready then, and the periodic work catches up later. */
export async function skipIfDatabaseUnavailable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    log.warn('node.started_without_database', errorFields(error));
  }
}
