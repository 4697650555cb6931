import { findUser } from '../identity';
import { appendAudit, tokenCreated } from '../observability';
import type { Ctx } from '../platform/context';
import { newId } from '../platform/ids';
import { inTransaction } from '../platform/tx';
import { OAuthFault } from '../protocol/oauth/faults';
import type { TokenResponse } from '../protocol/oauth/token-response';
import { hashDeviceCode } from './device-code';
import { isCredentialActive } from './is-credential-active';
import { requireDeviceClient } from './policy';
import { type AccessTokenRecord, insertDeviceToken } from './store/access-tokens';
import { type PolledDevice, pollDevice, turnAway, useUpDeviceCode } from './store/device-codes';
import { toDeviceTokens } from './to-device-tokens';

/** How long a device stays signed in, however often it renews its tokens, milliseconds (TOK-7). */
const lifeMs = 90 * 24 * 3_600_000;

/**
 * Gives a device its tokens when its person has allowed it (RFC 8628 §3.4): once, whoever asks at the same time, and only while
 * the session in which it was allowed has not ended.
 * @throws {OAuthFault} what the device is to do instead (§3.5)
 */
export async function redeemDeviceCode({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { deviceCode: string };
}): Promise<TokenResponse> {
  const { clientId } = requireDeviceClient(ctx.actor);
  const codeHash = hashDeviceCode(input.deviceCode);
  const device = requireAllowed(await pollDevice({ codeHash, clientId, now: ctx.now }), ctx.now);
  if (device.sessionId !== null && !(await isCredentialActive(device.sessionId, ctx.now))) {
    await turnAway(codeHash);
    throw new OAuthFault('access_denied', 'The session in which the device was let in has ended. Start again.');
  }
  const user = await findUser(device.userId);
  if (!user || user.suspended) throw new OAuthFault('access_denied', 'The account is suspended.');
  const token = tokenOf(device, ctx.now);
  await inTransaction(async (tx) => {
    if (!(await useUpDeviceCode(tx, codeHash))) throw usedUp();
    await insertDeviceToken(tx, token);
    await appendAudit(tx, tokenCreated(ctx, token));
  });
  return toDeviceTokens(token, ctx.now);
}

type AllowedDevice = PolledDevice & { userId: string };

function requireAllowed(device: PolledDevice | null, now: Date): AllowedDevice {
  if (!device || device.decision === 'redeemed') throw usedUp();
  if (device.expiresAt <= now) throw new OAuthFault('expired_token', 'The code has expired. Start again.');
  if (device.decision === 'denied') throw new OAuthFault('access_denied', 'The person turned the device away.');
  const { userId } = device;
  if (userId !== null) return { ...device, userId };
  if (device.tooSoon) throw new OAuthFault('slow_down', 'Wait five seconds longer between two questions.');
  throw new OAuthFault('authorization_pending', 'The person has not decided yet.');
}

function usedUp(): OAuthFault {
  return new OAuthFault('invalid_grant', 'The device code is unknown or was used already.');
}

function tokenOf({ userId, address, scopes }: AllowedDevice, now: Date): AccessTokenRecord {
  return {
    id: newId('pat'),
    userId,
    name: `Command line, ${address}`,
    prefix: 'parley_at_',
    tokenHash: null,
    generation: 0,
    scopes,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifeMs),
    lastUsedAt: null,
  };
}
