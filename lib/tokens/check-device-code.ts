import type { Ctx } from '../platform/context';
import { hashUserCode } from './device-code';
import { deviceCodeNotFound } from './errors';
import { limitUserCodeAttempts } from './limit-user-code-attempts';
import { requireUser } from './policy';
import type { DeviceCheck, DeviceRequestView } from './schema';
import { findDeviceRequest } from './store/device-codes';

/**
 * What the device with this code asks for. Codes that are none count against the person and the address.
 * @throws {ParleyError} `not_found` alike for unknown, expired and decided; `rate_limited`
 */
export async function checkDeviceCode({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: DeviceCheck & { address: string };
}): Promise<DeviceRequestView> {
  const { userId } = requireUser(ctx.actor, 'session');
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
