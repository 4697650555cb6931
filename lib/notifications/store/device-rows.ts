import { type Db, db } from '../../platform/db/db';
import { inTransaction, lockRow } from '../../platform/db/tx';
import { seal, sha256, unseal } from '../../platform/secrets/crypto';
import type { Subscription } from '../schema';

/** A device without its subscription. */
interface DeviceRecord {
  id: string;
  sessionId: string;
  userAgent: string;
  createdAt: Date;
  lastSentAt: Date | null;
}

/** Returns the user's devices whose sessions have not reached their absolute lifetime, oldest first. */
export async function selectDevices(userId: string, now: Date): Promise<DeviceRecord[]> {
  const rows = await db().webPushDevice.findMany({
    where: { userId, session: { expires: { gt: now } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, sessionId: true, createdAt: true, lastSentAt: true, session: { select: { userAgent: true } } },
  });
  return rows.map(({ session: { userAgent }, ...device }) => ({ ...device, userAgent }));
}

interface NewDevice {
  id: string;
  userId: string;
  sessionId: string;
  subscription: Subscription;
}

/**
 * Stores the device of a session, in place of its earlier one. If an earlier session of the same browser has the same
 * subscription, its row is kept for the same user, and otherwise moves to the new user: only that browser knows the
 * keys. Returns `full` above `max` devices, and `taken` if the endpoint is stored with other keys.
 */
export function saveDevice(
  { id, userId, sessionId, subscription }: NewDevice,
  { now, max }: { now: Date; max: number },
): Promise<'saved' | 'full' | 'taken'> {
  const endpointHash = sha256(subscription.endpoint);
  return inTransaction(async (tx) => {
    await lockRow(tx, 'user', { id: userId });
    const known = await tx.webPushDevice.findUnique({ where: { endpointHash } });
    if (known && !isSameSubscription(unsealSubscription(known.subscription), subscription)) return 'taken';
    if (known?.userId === userId) {
      if (known.sessionId === sessionId) return 'saved';
      await tx.webPushDevice.deleteMany({ where: { sessionId } });
      await tx.webPushDevice.update({ where: { id: known.id }, data: { sessionId } });
      return 'saved';
    }
    await tx.webPushDevice.deleteMany({ where: { OR: [{ endpointHash }, { sessionId }] } });
    if ((await countDevices(userId, tx)) >= max) return 'full';
    const sealed = seal('web-push-device', JSON.stringify(subscription));
    await tx.webPushDevice.create({
      data: { id, userId, sessionId, endpointHash, subscription: sealed, createdAt: now },
    });
    return 'saved';
  });
}

function isSameSubscription(a: Subscription, b: Subscription): boolean {
  return a.keys.p256dh === b.keys.p256dh && a.keys.auth === b.keys.auth;
}

/** Decrypts a stored subscription. */
export function unsealSubscription(sealed: string): Subscription {
  return JSON.parse(unseal('web-push-device', sealed)) as Subscription;
}

function countDevices(userId: string, tx: Db): Promise<number> {
  return tx.webPushDevice.count({ where: { userId } });
}

/** Returns true if the user has a device. */
export async function hasDevices(userId: string): Promise<boolean> {
  return (await countDevices(userId, db())) > 0;
}

/** Deletes a device of the user with its deliveries. Returns false if the user has no such device. */
export async function deleteDevice({ id, userId }: { id: string; userId: string }): Promise<boolean> {
  return (await db().webPushDevice.deleteMany({ where: { id, userId } })).count > 0;
}

/** Deletes a device whose subscription has ended. */
export async function deleteEndedDevice(id: string): Promise<void> {
  await db().webPushDevice.deleteMany({ where: { id } });
}

/** A user's settings. `quietFrom` and `quietUntil` are minutes after midnight in `timeZone`; both or neither is null. */
export interface WebPushSetting {
  mutedKinds: string[];
  quietFrom: number | null;
  quietUntil: number | null;
  timeZone: string;
  showsContent: boolean;
}

/** The settings of users who have changed none. */
const defaultSetting: Readonly<WebPushSetting> = {
  mutedKinds: [],
  quietFrom: null,
  quietUntil: null,
  timeZone: 'UTC',
  showsContent: false,
};

export async function selectSetting(userId: string, tx: Db = db()): Promise<WebPushSetting> {
  const found = await tx.webPushSetting.findUnique({ where: { userId }, omit: { userId: true, updatedAt: true } });
  return found ?? defaultSetting;
}

/** Changes the settings of a user in one transaction. */
export async function updateSetting(
  userId: string,
  change: (current: WebPushSetting) => WebPushSetting,
  now: Date,
): Promise<void> {
  await inTransaction(async (tx) => {
    await lockRow(tx, 'user', { id: userId });
    const data = { ...change(await selectSetting(userId, tx)), updatedAt: now };
    await tx.webPushSetting.upsert({ where: { userId }, create: { userId, ...data }, update: data });
  });
}
