import { z } from 'zod';
import { base64Schema, historyLengthSchema, idSchema, metadataSchema } from '../shared-schema';

// Frozen: A2A 1.0 (package lf.a2a.v1, ProtoJSON). Members it does not know are ignored; null means absent.

const contents = ['text', 'raw', 'url', 'data'] as const;

export const partSchema = z
  .object({
    text: z.string().nullish(),
    raw: base64Schema.nullish(),
    url: z.string().nullish(),
    data: z.json().optional(),
    filename: z.string().nullish(),
    mediaType: z.string().nullish(),
    metadata: metadataSchema.nullish(),
  })
  .refine((part) => contents.filter((name) => (name === 'data' ? 'data' in part : part[name] != null)).length === 1, {
    message: 'expected exactly one of "text", "raw", "url" and "data"',
  });

export const messageSchema = z.object({
  messageId: idSchema,
  role: z.literal('ROLE_USER', 'expected "ROLE_USER": callers speak for the user'),
  parts: z.array(partSchema).min(1, 'expected at least one part'),
  contextId: z.string().max(255).nullish(),
  taskId: z.string().max(255).nullish(),
  referenceTaskIds: z.array(idSchema).nullish(),
  extensions: z.array(z.string()).nullish(),
  metadata: metadataSchema.nullish(),
});

export const sendSchema = z.object({
  message: messageSchema,
  configuration: z
    .object({
      acceptedOutputModes: z.array(z.string()).nullish(),
      historyLength: historyLengthSchema.nullish(),
      returnImmediately: z.boolean().nullish(),
      taskPushNotificationConfig: z.object({}).loose().nullish(),
    })
    .nullish(),
  metadata: metadataSchema.nullish(),
});

export const getSchema = z.object({ id: idSchema, historyLength: historyLengthSchema.nullish() });
export const taskIdSchema = z.object({ id: idSchema, metadata: metadataSchema.nullish() });

export const listSchema = z.object({
  contextId: z.string().max(255).nullish(),
  status: z.string().nullish(),
  pageSize: z.number().int().min(1).max(100).nullish(),
  pageToken: z.string().max(500).nullish(),
  historyLength: historyLengthSchema.nullish(),
  statusTimestampAfter: z.iso.datetime({ offset: true }).nullish(),
  includeArtifacts: z.boolean().nullish(),
});
