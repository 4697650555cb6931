import { authorize } from '../identity';
import type { Call, Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { listDevices } from './devices';
import { isTimeZone, toMinutes, toTimeOfDay } from './quiet-hours';
import { type QuietHours, WEB_PUSH_KINDS, type WebPushSettingsInput, type WebPushView } from './schema';
import { selectSetting, updateSetting, type WebPushSetting } from './store/device-rows';
import { vapidKeys } from './vapid';

/**
 * Returns the user's settings and devices, and the key with which browsers subscribe.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens
 */
export async function getWebPush({ ctx }: { ctx: Ctx }): Promise<WebPushView> {
  const { userId } = authorize(ctx.actor, 'session');
  const [setting, devices] = await Promise.all([selectSetting(userId), listDevices(ctx)]);
  return {
    publicKey: vapidKeys().publicKey,
    kinds: WEB_PUSH_KINDS.map((kind) => ({ kind, wanted: !setting.mutedKinds.includes(kind) })),
    quietHours: toQuietHours(setting),
    showsContent: setting.showsContent,
    devices,
  };
}

function toQuietHours({ quietFrom, quietUntil, timeZone }: WebPushSetting): QuietHours | null {
  if (quietFrom === null || quietUntil === null) return null;
  return { from: toTimeOfDay(quietFrom), until: toTimeOfDay(quietUntil), timeZone };
}

/**
 * Changes the user's settings, for all devices. They apply to messages that have not been sent yet. Omitted members stay
 * unchanged.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens; `invalid_request` for an unknown time zone
 */
export async function updateWebPush({ ctx, input }: Call<WebPushSettingsInput>): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  const { kinds = {}, quietHours, showsContent } = input;
  if (quietHours && !isTimeZone(quietHours.timeZone)) {
    const found = quietHours.timeZone;
    throw new ParleyError(
      'invalid_request',
      `quietHours.timeZone: found "${found}"; expected an IANA name such as Europe/Berlin`,
    );
  }
  const quiet = quietHours === undefined ? {} : toColumns(quietHours);
  await updateSetting(
    userId,
    (current) => ({
      ...current,
      ...quiet,
      mutedKinds: WEB_PUSH_KINDS.filter((kind) => !(kinds[kind] ?? !current.mutedKinds.includes(kind))),
      showsContent: showsContent ?? current.showsContent,
    }),
    ctx.now,
  );
}

function toColumns(quietHours: QuietHours | null): Partial<WebPushSetting> {
  if (quietHours === null) return { quietFrom: null, quietUntil: null };
  const { from, until, timeZone } = quietHours;
  return { quietFrom: toMinutes(from), quietUntil: toMinutes(until), timeZone };
}
