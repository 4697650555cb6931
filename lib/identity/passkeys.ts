import { passkeyChanged } from '../observability';
import type { Ctx } from '../platform/context';
import { env } from '../platform/env';
import { authorize, requireFreshAuth } from './authorization';
import { passkeyNotFound } from './errors';
import type { PasskeyView } from './schema-views';
import { deletePasskey, type Passkey, selectPasskeys, updatePasskeyName } from './store/passkeys';

/** Our relying party (WebAuthn Level 3 §4): this host only, so that a passkey is valid at no other site. */
export function relyingParty(): { id: string; origin: string } {
  const { hostname, origin } = new URL(env().APP_URL);
  return { id: hostname, origin };
}

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
 * @throws {ParleyError} `unauthenticated`, `sign_in_again`; `not_found`, also for another user's passkey
 */
export async function removePasskey({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<void> {
  const { userId } = await requireFreshAuth({ ctx });
  const audit = passkeyChanged(ctx, { userId, id: input.id, change: 'removed' });
  if (!(await deletePasskey(userId, input.id, audit))) throw passkeyNotFound();
}

export function toPasskeyView({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}
