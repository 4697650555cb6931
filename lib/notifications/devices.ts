import { createECDH } from 'node:crypto';
import { authorize, describeUserAgent } from '../identity';
import { consume, type TokenBucketRule } from '../limits';
import type { Call, Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { checkExternalUrl } from '../platform/http-client/external-urls';
import { newId } from '../platform/ids';
import { MAX_DEVICES } from './limits';
import type { Subscription, WebPushDeviceView } from './schema';
import { upsertSeen } from './store/delivery-rows';
import { deleteDevice, saveDevice, selectDevices } from './store/device-rows';

/** Maximum subscriptions of browsers per user. */
const SUBSCRIBE_LIMIT: TokenBucketRule = {
  name: 'web-push-subscriptions',
  burst: 30,
  perMinute: 10,
  onDatabaseDown: 'refuse',
};

/** Maximum reports of seen conversations per user. */
const SEEN_LIMIT: TokenBucketRule = {
  name: 'web-push-seen',
  burst: 60,
  perMinute: 60,
  onDatabaseDown: 'count-here',
};

/**
 * Subscribes the browser of this session to notifications. Repeated calls with the same subscription change nothing.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens; `url_refused` for an endpoint that the address
 *   guard refuses; `invalid_request` for a key that is not on the curve; `conflict` above {@link MAX_DEVICES}, and if
 *   the endpoint is known with other keys; `rate_limited`
 */
export async function subscribeDevice({ ctx, input }: Call<Subscription>): Promise<WebPushDeviceView> {
  const { userId, credential } = authorize(ctx.actor, 'session');
  await consume(SUBSCRIBE_LIMIT, userId, ctx.now);
  checkExternalUrl(input.endpoint);
  if (!isPublicKey(input.keys.p256dh)) {
    throw new ParleyError(
      'invalid_request',
      'keys.p256dh: found bytes that are no point of P-256; expected a public key',
    );
  }
  const device = { id: newId('dev'), userId, sessionId: credential.id, subscription: input };
  const result = await saveDevice(device, { now: ctx.now, max: MAX_DEVICES });
  if (result === 'full') {
    const text = `You have ${MAX_DEVICES} devices with notifications, which is the limit. Remove one first.`;
    throw new ParleyError('conflict', text);
  }
  if (result === 'taken') {
    throw new ParleyError('conflict', 'This endpoint belongs to another subscription. Subscribe the browser again.');
  }
  const saved = (await listDevices(ctx)).find(({ current }) => current);
  if (!saved) throw new ParleyError('conflict', 'Your session ended in the meantime. Sign in again.');
  return saved;
}

/** Returns true for an uncompressed point of P-256 (RFC 8291 §3.1). */
function isPublicKey(text: string): boolean {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  try {
    return pair.computeSecret(Buffer.from(text, 'base64url')).length > 0;
  } catch {
    return false;
  }
}

/** Lists the user's devices, oldest first. The caller must have authorized the user's session. */
export async function listDevices({ actor, now }: Pick<Ctx, 'actor' | 'now'>): Promise<WebPushDeviceView[]> {
  const { userId, credential } = authorize(actor, 'session');
  const devices = await selectDevices(userId, now);
  return devices.map(({ id, sessionId, userAgent, createdAt, lastSentAt }) => ({
    id,
    device: describeUserAgent(userAgent),
    current: sessionId === credential.id,
    createdAt: createdAt.toISOString(),
    lastSentAt: lastSentAt?.toISOString() ?? null,
  }));
}

/**
 * Removes a device of the user. It receives no further messages.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found` (also for other users' devices)
 */
export async function removeDevice({ ctx, input }: Call<{ id: string }>): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  if (!(await deleteDevice({ id: input.id, userId }))) throw new ParleyError('not_found', 'Device not found.');
}

/**
 * Records that a page displays the end of the user's conversation, so that no device is notified of it. Ignores unknown
 * conversations and those of other users.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `rate_limited`
 */
export async function markSeen({ ctx, input }: Call<{ conversationId: string }>): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  await consume(SEEN_LIMIT, userId, ctx.now);
  await upsertSeen(userId, input.conversationId, ctx.now);
}
