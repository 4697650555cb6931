import { z } from 'zod';
import {
  type AccessTokenView,
  type AgentGrantView,
  type AppSecretView,
  type AppView,
  type DeviceRequestView,
  grantableScopeSchema,
  type Handshake,
  type NewAccessToken,
  type NewClientSecret,
} from '../../tokens/schema';
import { time } from './common';

export const accessTokenView: z.ZodType<AccessTokenView> = z.object({
  id: z.string(),
  kind: z.enum(['personal', 'device']),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  createdAt: time,
  expiresAt: time.nullable(),
  lastUsedAt: time.nullable(),
});

export const newAccessToken: z.ZodType<NewAccessToken> = z.object({
  id: z.string(),
  token: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  expiresAt: time.nullable(),
});

const secretView: z.ZodType<AppSecretView> = z.object({
  id: z.string(),
  prefix: z.string(),
  createdAt: time,
  lastUsedAt: time.nullable(),
  expiresAt: time.nullable(),
});

const app = z.object({
  id: z.string(),
  name: z.string(),
  clientId: z.string(),
  createdAt: time,
  secrets: z.array(secretView),
});

export const appView: z.ZodType<AppView> = app;

export const newClientSecret: z.ZodType<NewClientSecret> = app.extend({ clientSecret: z.string() });

export const handshakeAnswer: z.ZodType<Handshake> = z.object({
  token: z.string(),
  tokenType: z.enum(['Bearer', 'DPoP']),
  agentUrl: z.string(),
  expiresAt: time,
  expiresIn: z.int(),
  scope: z.string(),
});

export const grantView: z.ZodType<AgentGrantView> = z.object({
  agent: z.object({ slug: z.string(), name: z.string(), open: z.boolean() }),
  scopes: z.array(grantableScopeSchema),
  createdAt: time,
  lastUsedAt: time.nullable(),
});

export const deviceRequestView: z.ZodType<DeviceRequestView> = z.object({
  clientId: z.string(),
  scopes: z.array(z.string()),
  address: z.string(),
  userAgent: z.string(),
  createdAt: time,
  expiresAt: time,
});
