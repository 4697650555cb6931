import { tokenRevoked } from '../observability';
import type { Ctx } from '../platform/context';
import { markAllAccessTokensRevoked } from './store/access-tokens';

/**
 * Revokes all access tokens of a person, or those of devices alone, and with them every agent token made from them: here at
 * once, on other nodes within a second. Whose they are is for the caller to have proved: a reset has no session yet.
 */
export async function revokeAllTokens({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { userId: string; devicesOnly: boolean };
}): Promise<void> {
  const { userId, devicesOnly } = input;
  await markAllAccessTokensRevoked({ userId, devicesOnly, now: ctx.now }, tokenRevoked(ctx, { userId, id: '' }));
}
