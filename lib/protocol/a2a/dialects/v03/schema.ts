import { z } from 'zod';
import { isObject } from '../../../json';
import { MAX_PAGE_SIZE, MAX_PAGE_TOKEN_LENGTH } from '../../../limits';
import {
  base64Schema,
  historyLengthSchema,
  idSchema,
  metadataSchema,
  absentSchema as none,
  pushCredentialsSchema,
  pushSchemeSchema,
  pushTokenSchema,
  pushUrlSchema,
  reasonSchema,
} from '../params';

// Frozen: A2A 0.3 (specification/json/a2a.json at v0.3.0). Unknown members are ignored; null and, for an optional
// member, an empty text mean absent.

const fileSchema = z
  .object({
    bytes: base64Schema.nullish(),
    uri: z.string().nullish(),
    name: z.string().nullish(),
    mimeType: z.string().nullish(),
  })
  // An empty file has bytes and no link.
  .refine(({ bytes, uri }) => (uri ? !bytes : typeof bytes === 'string'), 'expected exactly one of "bytes" and "uri"');

// Clients of 0.1 and of the first release of 0.2 write `type` instead of `kind`.
function kindFromType(part: unknown): unknown {
  return isObject(part) && !part.kind && part.type ? { ...part, kind: part.type } : part;
}

export const partSchema = z.preprocess(
  kindFromType,
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), text: z.string(), metadata: metadataSchema.nullish() }),
    z.object({ kind: z.literal('file'), file: fileSchema, metadata: metadataSchema.nullish() }),
    z.object({ kind: z.literal('data'), data: metadataSchema, metadata: metadataSchema.nullish() }),
  ]),
);

export const messageSchema = z.object({
  // Web42's clients omit `kind`, which also identifies them.
  kind: z.literal(['message', '']).nullish(),
  messageId: idSchema,
  role: z.literal('user', 'expected "user": callers speak for the user'),
  parts: z.array(partSchema).min(1, 'expected at least one part'),
  contextId: none.or(idSchema).nullish(),
  taskId: none.or(idSchema).nullish(),
  referenceTaskIds: z.array(idSchema).nullish(),
  extensions: z.array(z.string()).nullish(),
  metadata: metadataSchema.nullish(),
});

export const pushTargetSchema = z.object({
  id: none.or(idSchema).nullish(),
  url: pushUrlSchema,
  token: none.or(pushTokenSchema).nullish(),
  authentication: z
    .object({ schemes: z.array(pushSchemeSchema), credentials: none.or(pushCredentialsSchema).nullish() })
    .nullish(),
});

export const pushSetSchema = z.object({ taskId: idSchema, pushNotificationConfig: pushTargetSchema });
export const pushGetSchema = z.object({ id: idSchema, pushNotificationConfigId: none.or(idSchema).nullish() });
export const pushListSchema = z.object({ id: idSchema });
export const pushDeleteSchema = z.object({ id: idSchema, pushNotificationConfigId: idSchema });

/** The params of a send. Compiled, because every message is validated with this schema. */
export const sendSchema = z.compile(
  z.object({
    message: messageSchema,
    configuration: z
      .object({
        acceptedOutputModes: z.array(z.string()).nullish(),
        blocking: z.boolean().nullish(),
        historyLength: historyLengthSchema.nullish(),
        pushNotificationConfig: pushTargetSchema.nullish(),
      })
      .nullish(),
    metadata: metadataSchema.nullish(),
  }),
);

export const taskQuerySchema = z.object({ id: idSchema, historyLength: historyLengthSchema.nullish() });
export const taskIdSchema = z.object({ id: idSchema });
export const cancelSchema = z.object({
  id: idSchema,
  reason: reasonSchema.nullish(),
  metadata: metadataSchema.nullish(),
});

export const listSchema = z.object({
  contextId: none.or(idSchema).nullish(),
  status: z.string().nullish(),
  pageSize: z.number().int().min(1).max(MAX_PAGE_SIZE).nullish(),
  pageToken: z.string().max(MAX_PAGE_TOKEN_LENGTH).nullish(),
  historyLength: historyLengthSchema.nullish(),
  includeArtifacts: z.boolean().nullish(),
});
