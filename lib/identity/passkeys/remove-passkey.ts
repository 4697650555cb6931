import { passkeyChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import { requireFreshAuth } from '../require-fresh-auth';
import { deletePasskey } from '../store/passkeys';
import { passkeyNotFound } from './errors';

/**
 * Forgets one of the person's passkeys: it confirms nothing any more.
 * @throws {ParleyError} `unauthenticated`, `sign_in_again`; `not_found` also for those of others
 */
export async function removePasskey({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<void> {
  const { userId } = await requireFreshAuth({ ctx });
  const audit = passkeyChanged(ctx, { userId, id: input.id, change: 'removed' });
  if (!(await deletePasskey(userId, input.id, audit))) throw passkeyNotFound();
}
