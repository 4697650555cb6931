import { z } from 'zod';
import { timeZoneSchema } from '../payments/schema-spending';
import { time } from '../platform/schema';
import { MAX_DEVICES, MAX_ENDPOINT_LENGTH } from './limits';

/**
 * Kinds of notifications: a question of an agent, a finished long task, an agent's offer, a call between agents that
 * needs approval, and a payment alert.
 */
export const WEB_PUSH_KINDS = ['question', 'finished', 'cart', 'approval', 'payment'] as const;
export type WebPushKind = (typeof WEB_PUSH_KINDS)[number];

/** Returns unpadded base64url text of this number of bytes. */
function base64url(bytes: number): z.ZodString {
  const length = Math.ceil((bytes * 4) / 3);
  return z.string().regex(new RegExp(`^[\\w-]{${length}}={0,2}$`), `expected ${bytes} bytes in base64url`);
}

/** Body of `POST /api/web-push/devices`: the members of `PushSubscription.toJSON()` that are needed. */
export const subscriptionInput = z.object({
  endpoint: z.string().min(1).max(MAX_ENDPOINT_LENGTH),
  keys: z.object({
    p256dh: base64url(65).describe('Public key of the browser, an uncompressed point of P-256 (RFC 8291 §3.1)'),
    auth: base64url(16).describe('Authentication secret of the browser (RFC 8291 §3.2)'),
  }),
});
export type Subscription = z.infer<typeof subscriptionInput>;

/** A browser that receives notifications. */
export const webPushDeviceSchema = z.object({
  id: z.string(),
  device: z.string().describe('The browser in words, for display'),
  current: z.boolean().describe('True for the browser of this session'),
  createdAt: time,
  lastSentAt: time.nullable(),
});
export type WebPushDeviceView = z.infer<typeof webPushDeviceSchema>;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time such as 22:00');

const quietHoursSchema = z
  .object({ from: timeOfDay, until: timeOfDay, timeZone: timeZoneSchema.shape.timeZone })
  .refine(({ from, until }) => from !== until, { path: ['until'], error: 'expected another time than "from"' });
export type QuietHours = z.infer<typeof quietHoursSchema>;

/** Body of `PUT /api/web-push`. Omitted members stay unchanged. */
export const webPushSettingsInput = z.object({
  kinds: z.partialRecord(z.enum(WEB_PUSH_KINDS), z.boolean()).optional(),
  quietHours: quietHoursSchema.nullable().optional(),
  showsContent: z.boolean().optional(),
});
export type WebPushSettingsInput = z.infer<typeof webPushSettingsInput>;

/** Response of `GET /api/web-push`. */
export const webPushViewSchema = z.object({
  publicKey: z.string().describe('The `applicationServerKey` for subscriptions (RFC 8292), base64url'),
  kinds: z.array(z.object({ kind: z.enum(WEB_PUSH_KINDS), wanted: z.boolean() })),
  quietHours: quietHoursSchema.nullable().describe('Times at which nothing is sent; it is sent at their end'),
  showsContent: z
    .boolean()
    .describe('True if notifications contain names, amounts and texts, which a lock screen displays'),
  devices: z.array(webPushDeviceSchema).max(MAX_DEVICES),
});
export type WebPushView = z.infer<typeof webPushViewSchema>;

/** Body of `POST /api/web-push/seen`. */
export const seenInput = z.object({ conversationId: z.string().min(1).max(100) });
