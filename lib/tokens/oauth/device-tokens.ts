import { authorize, findUser } from '../../identity';
import { appendAudit, tokenCreated, tokenRevoked } from '../../observability';
import type { Call, Ctx } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import { OAuthError, type TokenResponse } from '../../protocol/oauth/authorization-server';
import { decodeDerivedToken, toDerivedTokens } from '../access-tokens/access-token-texts';
import { recordGuardedToken } from '../access-tokens/access-tokens';
import { readScopes, requireDeviceClient } from '../authorization';
import { findActiveCredential } from '../credentials/credentials';
import { invalidRefreshToken } from '../errors';
import { REFRESH_TOKEN_MS } from '../limits';
import {
  type AccessTokenRecord,
  findAccessToken,
  insertTokenFamily,
  markAccessTokenRevoked,
  markAllAccessTokensRevoked,
  renewTokenFamily,
} from '../store/access-token-rows';
import { consumeDeviceCode, denyDevice, type PolledDevice, pollDevice } from '../store/device-code-rows';
import { revokeConnectionsOf } from './connections/connections';
import { hashDeviceCode } from './device-codes';

/**
 * Exchanges an allowed device code for tokens (RFC 8628 §3.4), once, even for concurrent requests, and only while the
 * session that allowed it is active.
 * @throws {OAuthError} `invalid_grant`, and, from §3.5, `authorization_pending`, `slow_down`, `access_denied`,
 *   `expired_token`
 */
export async function redeemDeviceCode({ ctx, input }: Call<{ deviceCode: string }>): Promise<TokenResponse> {
  const { clientId } = requireDeviceClient(ctx.actor);
  const codeHash = hashDeviceCode(input.deviceCode);
  const device = requireAllowed(await pollDevice({ codeHash, clientId, now: ctx.now }), ctx.now);
  if (!(await findActiveCredential(device.sessionId ?? '', ctx.now))) {
    await denyDevice(codeHash);
    throw new OAuthError('access_denied', 'The session that authorized this device has ended. Start again.');
  }
  const user = await findUser(device.userId);
  if (!user || user.suspended) throw new OAuthError('access_denied', 'The account is suspended.');
  const token = newDeviceToken(device, ctx.now);
  await inTransaction(async (tx) => {
    if (!(await consumeDeviceCode(tx, codeHash))) throw invalidDeviceCode();
    await insertTokenFamily(tx, token);
    await recordGuardedToken(tx, ctx, token);
    await appendAudit(tx, tokenCreated(ctx, token));
  });
  return toDerivedTokens(token, ctx.now);
}

type AllowedDevice = PolledDevice & { userId: string };

function requireAllowed(device: PolledDevice | null, now: Date): AllowedDevice {
  if (!device || device.decision === 'redeemed') throw invalidDeviceCode();
  if (device.expiresAt <= now) throw new OAuthError('expired_token', 'The code has expired. Start again.');
  if (device.decision === 'denied') throw new OAuthError('access_denied', 'The user denied the request.');
  const { userId } = device;
  if (userId !== null) return { ...device, userId };
  if (device.tooSoon)
    throw new OAuthError('slow_down', 'Polling too often. Wait five seconds longer between requests.');
  throw new OAuthError('authorization_pending', 'The user has not decided yet.');
}

function invalidDeviceCode(): OAuthError {
  return new OAuthError('invalid_grant', 'The device code is unknown or was already used.');
}

function newDeviceToken({ userId, address, scopes }: AllowedDevice, now: Date): AccessTokenRecord {
  return {
    id: newId('pat'),
    userId,
    name: `Command line, ${address}`,
    prefix: 'parley_at_',
    tokenHash: null,
    generation: 0,
    connectionId: null,
    scopes,
    createdAt: now,
    expiresAt: new Date(now.getTime() + REFRESH_TOKEN_MS),
    lastUsedAt: null,
  };
}

/**
 * Renews a device's tokens (RFC 6749 §6). A refresh token is valid once. A reused one may have been stolen, so the
 * device is signed out; the second of two concurrent requests counts as reuse. `scope` narrows only the access token.
 * @throws {OAuthError} `invalid_grant`, `invalid_scope`, `unauthorized_client`
 */
export async function refreshAccessToken({
  ctx,
  input,
}: Call<{ refreshToken: string; scope?: string }>): Promise<TokenResponse> {
  requireDeviceClient(ctx.actor);
  const presented = decodeDerivedToken(input.refreshToken);
  if (presented?.kind !== 'refresh') throw invalidRefreshToken();
  const known = await findAccessToken(presented.id);
  const user = known && (await findUser(known.userId));
  if (!known || known.connectionId !== null || !user || user.suspended) throw invalidRefreshToken();
  const scopes = readScopes(input.scope, known.scopes);
  const { id, generation } = presented;
  const renewed = await renewTokenFamily({ id, generation, graceMs: 0, now: ctx.now });
  if (renewed) return toDerivedTokens(renewed, ctx.now, scopes);
  const { userId } = known;
  await markAccessTokenRevoked({ id, userId, now: ctx.now }, tokenRevoked(ctx, { id, userId }));
  throw invalidRefreshToken();
}

/**
 * Revokes all access tokens of a user, or only device tokens, and every agent token issued from them; disconnects all
 * apps in either case. The caller must have authenticated the user: a password reset has no session yet.
 */
export async function revokeAllTokens({ ctx, input }: Call<{ userId: string; devicesOnly: boolean }>): Promise<void> {
  const { userId, devicesOnly } = input;
  await markAllAccessTokensRevoked({ userId, devicesOnly, now: ctx.now }, tokenRevoked(ctx, { userId, id: '' }));
  await revokeConnectionsOf({ ctx, input: { userId } });
}

/** Signs out all devices of the user (command lines and others that signed in with a device code) and connected apps. */
export async function revokeDeviceTokens({ ctx }: { ctx: Ctx }): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  await revokeAllTokens({ ctx, input: { userId, devicesOnly: true } });
}
