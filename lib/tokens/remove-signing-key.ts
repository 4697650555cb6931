import { appendAudit, keyChanged } from '../observability';
import { publishLocally } from '../platform/bus';
import { inTransaction } from '../platform/tx';
import { type KeyPurpose, purposeOf } from './key-purposes';
import { ensureSigningKeys } from './keys';
import { planAfterRemoval } from './policy';
import { deleteKey, listKeys, lockKeys, updateKeyTimes } from './store/signing-keys';

/**
 * Takes a key away for an emergency (KEY-6): what it signed is refused here at once and on other nodes within a second. The
 * key that was to follow signs from now on; without one a new key is made.
 * @throws when there is no such key
 */
export async function removeSigningKey({ kid, now }: { kid: string; now: Date }): Promise<void> {
  const purpose = purposeOf(kid);
  if (!purpose || !(await removeKey(purpose, kid, now))) throw new Error(`There is no signing key ${kid}.`);
  publishLocally('keys', purpose);
  await ensureSigningKeys(now);
}

function removeKey(purpose: KeyPurpose, kid: string, now: Date): Promise<boolean> {
  return inTransaction(async (tx) => {
    await lockKeys(tx);
    const keys = await listKeys(purpose);
    const remaining = keys.filter((key) => key.kid !== kid);
    if (remaining.length === keys.length) return false;
    const change = planAfterRemoval(remaining, now);
    if (change) await updateKeyTimes(tx, change);
    await deleteKey(tx, { kid, purpose });
    await appendAudit(tx, keyChanged({ kid, purpose, change: 'removed', now }));
    return true;
  });
}
