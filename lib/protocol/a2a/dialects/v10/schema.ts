import { z } from 'zod';
import { MAX_PAGE_SIZE, MAX_PAGE_TOKEN_LENGTH } from '../../../limits';
import {
  base64Schema,
  historyLengthSchema,
  idSchema,
  jsonSchema,
  metadataSchema,
  absentSchema as none,
  protoObject,
  pushCredentialsSchema,
  pushSchemeSchema,
  pushTokenSchema,
  pushUrlSchema,
  reasonSchema,
} from '../params';

// Frozen: A2A 1.0 (package lf.a2a.v1, ProtoJSON). Unknown members are ignored; null means absent.

const contents = ['text', 'raw', 'url', 'data'] as const;

export const partSchema = protoObject({
  text: z.string().nullish(),
  raw: base64Schema.nullish(),
  url: z.string().nullish(),
  data: jsonSchema.optional(),
  filename: z.string().nullish(),
  mediaType: z.string().nullish(),
  metadata: metadataSchema.nullish(),
}).refine((part) => contents.filter((name) => (name === 'data' ? 'data' in part : part[name] != null)).length === 1, {
  message: 'expected exactly one of "text", "raw", "url" and "data"',
});

export const messageSchema = protoObject({
  messageId: idSchema,
  role: z.literal('ROLE_USER', 'expected "ROLE_USER": callers speak for the user'),
  parts: z.array(partSchema).min(1, 'expected at least one part'),
  contextId: none.or(idSchema).nullish(),
  taskId: none.or(idSchema).nullish(),
  referenceTaskIds: z.array(idSchema).nullish(),
  extensions: z.array(z.string()).nullish(),
  metadata: metadataSchema.nullish(),
});

const pushTarget = {
  id: none.or(idSchema).nullish(),
  url: pushUrlSchema,
  token: none.or(pushTokenSchema).nullish(),
  authentication: protoObject({
    scheme: pushSchemeSchema,
    credentials: none.or(pushCredentialsSchema).nullish(),
  }).nullish(),
};

export const pushTargetSchema = protoObject(pushTarget);
export const pushSetSchema = protoObject({ ...pushTarget, taskId: idSchema });
export const pushIdSchema = protoObject({ taskId: idSchema, id: idSchema });
export const pushListSchema = protoObject({
  taskId: idSchema,
  pageSize: z.number().int().min(0).max(MAX_PAGE_SIZE).nullish(),
  pageToken: z.string().max(MAX_PAGE_TOKEN_LENGTH).nullish(),
});

/** The params of a send. Compiled, because every message is validated with this schema. */
export const sendSchema = z.compile(
  protoObject({
    message: messageSchema,
    configuration: protoObject({
      acceptedOutputModes: z.array(z.string()).nullish(),
      historyLength: historyLengthSchema.nullish(),
      returnImmediately: z.boolean().nullish(),
      taskPushNotificationConfig: pushTargetSchema.nullish(),
    }).nullish(),
    metadata: metadataSchema.nullish(),
  }),
);

export const getSchema = protoObject({ id: idSchema, historyLength: historyLengthSchema.nullish() });
export const taskIdSchema = protoObject({ id: idSchema });
export const cancelSchema = protoObject({
  id: idSchema,
  reason: reasonSchema.nullish(),
  metadata: metadataSchema.nullish(),
});

export const listSchema = protoObject({
  contextId: none.or(idSchema).nullish(),
  status: z.string().nullish(),
  pageSize: z.number().int().min(1).max(MAX_PAGE_SIZE).nullish(),
  pageToken: z.string().max(MAX_PAGE_TOKEN_LENGTH).nullish(),
  historyLength: historyLengthSchema.nullish(),
  statusTimestampAfter: z.iso.datetime({ offset: true }).nullish(),
  includeArtifacts: z.boolean().nullish(),
});
