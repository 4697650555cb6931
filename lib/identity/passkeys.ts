import { passkeyChanged } from '../observability';
import type { Ctx } from '../platform/context';
import { authorize } from './authorization';
import { passkeyNotFound } from './errors';
import { proveChange } from './guards/prove-change';
import type { PasskeyResponse } from './schema-passkey';
import type { PasskeyView } from './schema-views';
import { deletePasskey, type Passkey, selectPasskeys, updatePasskeyName } from './store/passkeys';

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
  const audit = passkeyChanged(ctx, { userId, id, change: 'removed' });
  if (!(await deletePasskey(userId, id, audit))) throw passkeyNotFound();
}

export function toPasskeyView({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}
