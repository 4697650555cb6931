import { randomInt } from 'node:crypto';
import { authorize, proveChange } from '../../identity';
import { deviceDecided } from '../../observability';
import type { Call } from '../../platform/context';
import { env } from '../../platform/runtime/env';
import { ACCESS_SCOPES, DEFAULT_ACCESS_SCOPES, isGuardedScope } from '../../platform/scopes';
import { hmac, newSecret } from '../../platform/secrets/crypto';
import type { DeviceAuthorization } from '../../protocol/oauth/authorization-server';
import { readScopes, requireDeviceClient } from '../authorization';
import { deviceCodeNotFound, limitReached } from '../errors';
import { DEVICE_CODE_SECONDS, DEVICE_POLL_SECONDS, MAX_ACCESS_TOKENS, MAX_DEVICE_USER_AGENT_LENGTH } from '../limits';
import { limitUserCodeAttempts } from '../rate-limits';
import type { DeviceCheck, DeviceDecision, DeviceRequestView } from '../schema';
import { countAccessTokensOf } from '../store/access-token-rows';
import { findDeviceRequest, insertDeviceRequest, recordDecision } from '../store/device-code-rows';

/** RFC 8628 §6.1: contains no vowels, to avoid words, and no letters that resemble digits. */
const USER_CODE_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const USER_CODE_LENGTH = 8;

/**
 * Starts a device sign-in (RFC 8628 §3.1). The response has no `verification_uri_complete`, because typing the code
 * proves that the user has the device (§5.4).
 * @throws {OAuthError} `unauthorized_client`, `invalid_scope`
 */
export async function startDeviceSignIn({
  ctx,
  input,
}: Call<{ scope?: string; address: string; userAgent: string }>): Promise<DeviceAuthorization> {
  const { clientId } = requireDeviceClient(ctx.actor);
  const { deviceCode, userCode } = newDeviceCodes();
  await insertDeviceRequest({
    codeHash: hashDeviceCode(deviceCode),
    userCodeHash: hashUserCode(userCode) ?? '',
    clientId,
    scopes: input.scope?.trim() ? readScopes(input.scope, ACCESS_SCOPES) : DEFAULT_ACCESS_SCOPES,
    address: input.address,
    userAgent: input.userAgent.replace(/[^ -~]/g, '').slice(0, MAX_DEVICE_USER_AGENT_LENGTH),
    createdAt: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + DEVICE_CODE_SECONDS * 1000),
    intervalSeconds: DEVICE_POLL_SECONDS,
  });
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: `${env().APP_URL}/device`,
    expires_in: DEVICE_CODE_SECONDS,
    interval: DEVICE_POLL_SECONDS,
  };
}

/**
 * Returns the pending request of the device with this user code. Wrong codes count against the user and the network
 * address.
 * @throws {ParleyError} `not_found` for unknown, expired and already decided codes; `rate_limited`
 */
export async function checkDeviceCode({
  ctx,
  input,
}: Call<DeviceCheck & { address: string }>): Promise<DeviceRequestView> {
  const { userId } = authorize(ctx.actor, 'session');
  const refundAttempt = await limitUserCodeAttempts({ userId, address: input.address });
  const hash = hashUserCode(input.userCode);
  const request = hash && (await findDeviceRequest(hash, ctx.now));
  if (!request) throw deviceCodeNotFound();
  await refundAttempt();
  const { clientId, scopes, address, userAgent, createdAt, expiresAt } = request;
  return {
    clientId,
    scopes,
    address,
    userAgent,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

/**
 * Allows or denies a device on behalf of the signed-in user, once. Allowing a guarded scope is a guarded change.
 * @throws {ParleyError} `not_found` for unknown, expired and already decided codes; `rate_limited`; `passkey_required`,
 *   `passkey_refused`, `sign_in_again`; `conflict` at 100 access tokens
 */
export async function decideDeviceRequest({ ctx, input }: Call<DeviceDecision & { address: string }>): Promise<void> {
  const { userId, credential } = authorize(ctx.actor, 'session');
  if (input.allow && (await countAccessTokensOf(userId)) >= MAX_ACCESS_TOKENS) {
    throw limitReached('access tokens', MAX_ACCESS_TOKENS);
  }
  const refundAttempt = await limitUserCodeAttempts({ userId, address: input.address });
  const userCodeHash = hashUserCode(input.userCode);
  if (!userCodeHash) throw deviceCodeNotFound();
  const request = input.allow ? await findDeviceRequest(userCodeHash, ctx.now) : null;
  if (request?.scopes.some(isGuardedScope)) {
    const detail = { userCodeHash, scopes: request.scopes };
    await proveChange(ctx, { guard: 'device.allow', detail }, input.assertion);
  }
  const decision = input.allow ? 'allowed' : 'denied';
  const audit = deviceDecided(ctx, { userId, allowed: input.allow });
  const { id: sessionId } = credential;
  const isRecorded = await recordDecision({ userCodeHash, userId, sessionId, decision, now: ctx.now }, audit);
  if (!isRecorded) throw deviceCodeNotFound();
  await refundAttempt();
}

/** Creates a device code (256 random bits) and a user code (8 of 20 letters, 34 random bits). */
function newDeviceCodes(): { deviceCode: string; userCode: string } {
  const letters = Array.from(
    { length: USER_CODE_LENGTH },
    () => USER_CODE_ALPHABET[randomInt(USER_CODE_ALPHABET.length)],
  ).join('');
  return { deviceCode: newSecret('parley_dc_'), userCode: `${letters.slice(0, 4)}-${letters.slice(4)}` };
}

/** Returns the hash that is stored instead of a device code. */
export function hashDeviceCode(deviceCode: string): string {
  return hmac('device-code', deviceCode);
}

/** Returns the hash of a user code as typed, ignoring case, spaces and hyphens; null if it cannot be a user code. */
function hashUserCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '');
  const isCode = code.length === USER_CODE_LENGTH && [...code].every((letter) => USER_CODE_ALPHABET.includes(letter));
  return isCode ? hmac('user-code', code) : null;
}
