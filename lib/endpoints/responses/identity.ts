import { z } from 'zod';
import {
  NOTIFICATION_KINDS,
  type NotificationPreference,
  type PasskeyView,
  type Profile,
  type SessionView,
} from '../../identity/schema';
import { time } from '../../platform/schema';

export const sessionView: z.ZodType<SessionView> = z.object({
  id: z.string(),
  current: z.boolean(),
  device: z.string(),
  address: z.string(),
  signedInAt: time,
  lastSeenAt: time,
  expiresAt: time,
});

export const passkeyView: z.ZodType<PasskeyView> = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: time,
  lastUsedAt: time.nullable(),
});

export const profileView: z.ZodType<Profile> = z.object({
  email: z.string(),
  name: z.string(),
  scopes: z.array(z.string()).nullable(),
});

export const notificationPreferenceView: z.ZodType<NotificationPreference> = z.object({
  kind: z.enum(NOTIFICATION_KINDS),
  wanted: z.boolean(),
  fixed: z.boolean(),
});
