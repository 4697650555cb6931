import type { Ctx } from '../platform/context';
import { requireUser } from './policy';
import { revokeAllTokens } from './revoke-all-tokens';

/** Signs every device of the person out: command lines and whatever else was let in by a code. */
export async function revokeDeviceTokens({ ctx }: { ctx: Ctx }): Promise<void> {
  const { userId } = requireUser(ctx.actor, 'session');
  await revokeAllTokens({ ctx, input: { userId, devicesOnly: true } });
}
