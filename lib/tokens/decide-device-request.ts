import { requireFreshAuth } from '../identity';
import { deviceDecided } from '../observability';
import type { Ctx } from '../platform/context';
import { hashUserCode } from './device-code';
import { deviceCodeNotFound, limitReached } from './errors';
import { limitUserCodeAttempts } from './limit-user-code-attempts';
import { requireUser } from './policy';
import { MAX_ACCESS_TOKENS } from './rate-limits';
import type { DeviceDecision } from './schema';
import { countAccessTokensOf } from './store/access-tokens';
import { decideDeviceRequest as decide, findDeviceRequest } from './store/device-codes';

/**
 * Lets a device in as the person of the session, or turns it away; once. One that may pay asks for a sign-in of the last 15
 * minutes, as paying does.
 * @throws {ParleyError} `not_found` alike for unknown, expired and decided; `rate_limited`; `sign_in_again`; `conflict` at
 *   100 access tokens
 */
export async function decideDeviceRequest({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: DeviceDecision & { address: string };
}): Promise<void> {
  const { userId, credential } = requireUser(ctx.actor, 'session');
  if (input.allow && (await countAccessTokensOf(userId)) >= MAX_ACCESS_TOKENS) {
    throw limitReached('access tokens', MAX_ACCESS_TOKENS);
  }
  const refundAttempt = await limitUserCodeAttempts({ userId, address: input.address });
  const userCodeHash = hashUserCode(input.userCode);
  const request = input.allow && userCodeHash ? await findDeviceRequest(userCodeHash, ctx.now) : null;
  if (request?.scopes.includes('pay')) await requireFreshAuth({ ctx });
  const decision = input.allow ? 'allowed' : 'denied';
  const audit = deviceDecided(ctx, { userId, allowed: input.allow });
  if (
    !userCodeHash ||
    !(await decide({ userCodeHash, userId, sessionId: credential.id, decision, now: ctx.now }, audit))
  )
    throw deviceCodeNotFound();
  await refundAttempt();
}
