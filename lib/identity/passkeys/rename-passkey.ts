import type { Ctx } from '../../platform/context';
import { requireSession } from '../policy';
import { updatePasskeyName } from '../store/passkeys';
import { passkeyNotFound } from './errors';

/**
 * Changes how the person calls one of their passkeys.
 * @throws {ParleyError} `unauthenticated`; `not_found` also for those of others
 */
export async function renamePasskey({ ctx, input }: { ctx: Ctx; input: { id: string; name: string } }): Promise<void> {
  const { userId } = requireSession(ctx.actor);
  if (!(await updatePasskeyName(userId, input.id, input.name))) throw passkeyNotFound();
}
