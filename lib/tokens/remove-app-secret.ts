import { secretChanged } from '../observability';
import type { Ctx } from '../platform/context';
import { notFound } from './errors';
import { isOwnId, requireUser } from './policy';
import { deleteSecret } from './store/apps';

/**
 * Removes a secret of the person's app: refused here at once, on other nodes within a second.
 * @throws {ParleyError} `not_found`, also for secrets of others
 */
export async function removeAppSecret({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { appId: string; secretId: string };
}): Promise<void> {
  const { userId } = requireUser(ctx.actor, 'agents:write');
  const { appId, secretId } = input;
  const known = isOwnId(appId) && isOwnId(secretId);
  const secret = { id: secretId, appId, ownerId: userId };
  const audit = secretChanged(ctx, { ...secret, change: 'removed' });
  if (!known || !(await deleteSecret(secret, audit))) throw notFound('secret');
}
