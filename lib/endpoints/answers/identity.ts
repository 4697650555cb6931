import { z } from 'zod';
import {
  NOTICE_KINDS,
  type NoticeChoice,
  type PasskeyView,
  type Profile,
  type SessionView,
} from '../../identity/schema';
import { time } from './common';

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

export const noticeView: z.ZodType<NoticeChoice> = z.object({
  kind: z.enum(NOTICE_KINDS),
  wanted: z.boolean(),
  fixed: z.boolean(),
});
