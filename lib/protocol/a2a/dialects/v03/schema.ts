import { z } from 'zod';
import { isObject } from '../../../json';
import {
  base64Schema,
  historyLengthSchema,
  idSchema,
  metadataSchema,
  pushCredentialsSchema,
  pushSchemeSchema,
  pushTokenSchema,
  pushUrlSchema,
  reasonSchema,
} from '../shared-schema';

// Frozen: A2A 0.3 (specification/json/a2a.json at v0.3.0). Members it does not know are ignored.

const fileSchema = z
  .object({
    bytes: base64Schema.optional(),
    uri: z.string().min(1).optional(),
    name: z.string().optional(),
    mimeType: z.string().optional(),
  })
  .refine(
    ({ bytes, uri }) => (bytes === undefined) !== (uri === undefined),
    'expected exactly one of "bytes" and "uri"',
  );

// Callers that grew up with 0.1 tell a part by `type`, as does the first release of 0.2.
function kindFromType(part: unknown): unknown {
  return isObject(part) && part.kind === undefined && part.type !== undefined ? { ...part, kind: part.type } : part;
}

export const partSchema = z.preprocess(
  kindFromType,
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), text: z.string(), metadata: metadataSchema.optional() }),
    z.object({ kind: z.literal('file'), file: fileSchema, metadata: metadataSchema.optional() }),
    z.object({ kind: z.literal('data'), data: metadataSchema, metadata: metadataSchema.optional() }),
  ]),
);

export const messageSchema = z.object({
  // Web42's clients leave `kind` out; its absence is also how they are told (web42/).
  kind: z.literal('message').optional(),
  messageId: idSchema,
  role: z.literal('user', 'expected "user": callers speak for the user'),
  parts: z.array(partSchema).min(1, 'expected at least one part'),
  contextId: idSchema.optional(),
  taskId: idSchema.optional(),
  referenceTaskIds: z.array(idSchema).optional(),
  extensions: z.array(z.string()).optional(),
  metadata: metadataSchema.optional(),
});

export const pushTargetSchema = z.object({
  id: idSchema.optional(),
  url: pushUrlSchema,
  token: pushTokenSchema.optional(),
  authentication: z
    .object({ schemes: z.array(pushSchemeSchema), credentials: pushCredentialsSchema.optional() })
    .optional(),
});

export const pushSetSchema = z.object({ taskId: idSchema, pushNotificationConfig: pushTargetSchema });
export const pushGetSchema = z.object({ id: idSchema, pushNotificationConfigId: idSchema.optional() });
export const pushListSchema = z.object({ id: idSchema });
export const pushDeleteSchema = z.object({ id: idSchema, pushNotificationConfigId: idSchema });

/** Compiled: every message is held against it. */
export const sendSchema = z.compile(
  z.object({
    message: messageSchema,
    configuration: z
      .object({
        acceptedOutputModes: z.array(z.string()).optional(),
        blocking: z.boolean().optional(),
        historyLength: historyLengthSchema.optional(),
        pushNotificationConfig: pushTargetSchema.optional(),
      })
      .optional(),
    metadata: metadataSchema.optional(),
  }),
);

export const taskQuerySchema = z.object({ id: idSchema, historyLength: historyLengthSchema.optional() });
export const taskIdSchema = z.object({ id: idSchema });
export const cancelSchema = z.object({
  id: idSchema,
  reason: reasonSchema.optional(),
  metadata: metadataSchema.optional(),
});

export const listSchema = z.object({
  contextId: idSchema.optional(),
  status: z.string().optional(),
  pageSize: z.number().int().min(1).max(100).optional(),
  pageToken: z.string().max(500).optional(),
  historyLength: historyLengthSchema.optional(),
  includeArtifacts: z.boolean().optional(),
});
