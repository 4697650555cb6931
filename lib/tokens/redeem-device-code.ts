import { findUser } from '../identity';
import { appendAudit, tokenCreated } from '../observability';
import type { Ctx } from '../platform/context';
import { newId } from '../platform/ids';
import { inTransaction } from '../platform/tx';
import { OAuthError } from '../protocol/oauth/oauth-error';
import type { TokenResponse } from '../protocol/oauth/token-response';
import { hashDeviceCode } from './device-code';
import { isCredentialActive } from './is-credential-active';
import { requireDeviceClient } from './policy';
import { type AccessTokenRecord, insertDeviceToken } from './store/access-tokens';
import { consumeDeviceCode, denyDevice, type PolledDevice, pollDevice } from './store/device-codes';
import { toDeviceTokens } from './to-device-tokens';

/** How long a device stays signed in, however often it renews its tokens, milliseconds (TOK-7). */
const deviceTokenLifetimeMs = 90 * 24 * 3_600_000;

/**
 * Gives a device its tokens when its person has allowed it (RFC 8628 §3.4): once, whoever asks at the same time, and only while
 * the session in which it was allowed has not ended.
 * @throws {OAuthError} what the device is to do instead (§3.5)
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
    await denyDevice(codeHash);
    throw new OAuthError('access_denied', 'The session in which the device was let in has ended. Start again.');
  }
  const user = await findUser(device.userId);
  if (!user || user.suspended) throw new OAuthError('access_denied', 'The account is suspended.');
  const token = newDeviceToken(device, ctx.now);
  await inTransaction(async (tx) => {
    if (!(await consumeDeviceCode(tx, codeHash))) throw invalidDeviceCode();
    await insertDeviceToken(tx, token);
    await appendAudit(tx, tokenCreated(ctx, token));
  });
  return toDeviceTokens(token, ctx.now);
}

type AllowedDevice = PolledDevice & { userId: string };

function requireAllowed(device: PolledDevice | null, now: Date): AllowedDevice {
  if (!device || device.decision === 'redeemed') throw invalidDeviceCode();
  if (device.expiresAt <= now) throw new OAuthError('expired_token', 'The code has expired. Start again.');
  if (device.decision === 'denied') throw new OAuthError('access_denied', 'The person turned the device away.');
  const { userId } = device;
  if (userId !== null) return { ...device, userId };
  if (device.tooSoon) throw new OAuthError('slow_down', 'Wait five seconds longer between two questions.');
  throw new OAuthError('authorization_pending', 'The person has not decided yet.');
}

function invalidDeviceCode(): OAuthError {
  return new OAuthError('invalid_grant', 'The device code is unknown or was used already.');
}

function newDeviceToken({ userId, address, scopes }: AllowedDevice, now: Date): AccessTokenRecord {
  return {
    id: newId('pat'),
    userId,
    name: `Command line, ${address}`,
    prefix: 'parley_at_',
    tokenHash: null,
    generation: 0,
    scopes,
    createdAt: now,
    expiresAt: new Date(now.getTime() + deviceTokenLifetimeMs),
    lastUsedAt: null,
  };
}
