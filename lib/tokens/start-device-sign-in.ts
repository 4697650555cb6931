import type { Ctx } from '../platform/context';
import { env } from '../platform/env';
import type { DeviceAuthorization } from '../protocol/oauth/device-authorization';
import { DEVICE_CODE_SECONDS, hashDeviceCode, hashUserCode, newDeviceCodes, POLL_SECONDS } from './device-code';
import { requireDeviceClient } from './policy';
import { readScopes } from './read-scopes';
import { accessScopeSchema, defaultScopes } from './schema';
import { insertDeviceRequest } from './store/device-codes';

/**
 * Starts signing a device in (RFC 8628 §3.1). There is no address with the code in it: a person who types the code knows
 * which device they mean (§5.4).
 * @throws {OAuthError} `unauthorized_client`, `invalid_scope`
 */
export async function startDeviceSignIn({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { scope?: string; address: string; userAgent: string };
}): Promise<DeviceAuthorization> {
  const { clientId } = requireDeviceClient(ctx.actor);
  const { deviceCode, userCode } = newDeviceCodes();
  await insertDeviceRequest({
    codeHash: hashDeviceCode(deviceCode),
    userCodeHash: hashUserCode(userCode) ?? '',
    clientId,
    scopes: input.scope?.trim() ? readScopes(input.scope, accessScopeSchema.options) : defaultScopes,
    address: input.address,
    userAgent: input.userAgent.replace(/[^ -~]/g, '').slice(0, 100),
    createdAt: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + DEVICE_CODE_SECONDS * 1000),
    intervalSeconds: POLL_SECONDS,
  });
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: `${env().APP_URL}/device`,
    expires_in: DEVICE_CODE_SECONDS,
    interval: POLL_SECONDS,
  };
}
