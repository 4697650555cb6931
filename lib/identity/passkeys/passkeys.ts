import { appendAudit, passkeyChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { authorize } from '../authorization';
import { passkeyNotFound } from '../errors';
import { recordChange } from '../guards/changes';
import { proveChange } from '../guards/prove-change';
import type { PasskeyResponse } from '../schema-passkey';
import type { PasskeyView } from '../schema-views';
import {
  deletePasskey,
  type Passkey,
  selectPasskeys,
  snapshotPasskeys,
  updatePasskeyName,
} from '../store/passkey-rows';

/**
 * The user's passkeys, oldest first.
 * @throws {ParleyError} `unauthenticated`
 */
export async function listPasskeys({ ctx }: { ctx: Ctx }): Promise<PasskeyView[]> {
  const { userId } = authorize(ctx.actor, 'account');
  return (await selectPasskeys(userId)).map(toPasskeyView);
}

/**
 * Renames one of the user's passkeys.
 * @throws {ParleyError} `unauthenticated`; `not_found`, also for another user's passkey
 */
export async function renamePasskey({ ctx, input }: { ctx: Ctx; input: { id: string; name: string } }): Promise<void> {
  const { userId } = authorize(ctx.actor, 'account');
  if (!(await updatePasskeyName(userId, input.id, input.name))) throw passkeyNotFound();
}

/**
 * Deletes one of the user's passkeys.
 * @throws {ParleyError} `unauthenticated`; `passkey_required`, `passkey_refused`, `sign_in_again`; `not_found`, also for
 *   another user's passkey
 */
export async function removePasskey({
  ctx,
  input: { id, assertion },
}: {
  ctx: Ctx;
  input: { id: string; assertion?: PasskeyResponse };
}): Promise<void> {
  const { userId } = authorize(ctx.actor, 'account');
  if (!(await selectPasskeys(userId)).some((own) => own.id === id)) throw passkeyNotFound();
  await proveChange(ctx, { guard: 'passkey.remove', detail: { id } }, assertion);
  await inTransaction(async (tx) => {
    const before = await snapshotPasskeys(tx, userId);
    if (!(await deletePasskey(tx, userId, id))) throw passkeyNotFound();
    await recordChange(tx, ctx, { userId, kind: 'passkey.remove', subject: 'passkeys', detail: '', before });
    await appendAudit(tx, passkeyChanged(ctx, { userId, id, change: 'removed' }));
  });
}

export function toPasskeyView({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}
