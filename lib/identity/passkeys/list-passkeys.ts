import type { Ctx } from '../../platform/context';
import { requireSession } from '../policy';
import type { PasskeyView } from '../schema';
import { selectPasskeys } from '../store/passkeys';
import { toPasskeyView } from '../to-wire';

/**
 * The person's passkeys, oldest first.
 * @throws {ParleyError} `unauthenticated`
 */
export async function listPasskeys({ ctx }: { ctx: Ctx }): Promise<PasskeyView[]> {
  const { userId } = requireSession(ctx.actor);
  return (await selectPasskeys(userId)).map(toPasskeyView);
}
