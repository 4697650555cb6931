import { z } from 'zod';
import type { JsonValue } from '../../../json';
import type { Part } from '../../core/model';
import {
  base64Schema,
  historyLengthSchema,
  idSchema,
  jsonSchema,
  metadataSchema,
  absentSchema as none,
} from '../params';
import { mediaTypeIn, unwrapData } from '../part-metadata';
import { pushTargetSchema, listSchema as v03ListSchema } from '../v03/schema';

// Frozen: A2A 0.1 (specification/json/a2a.json at v0.1.0) and its four variants. Unknown members are ignored. A part is
// identified by `type` or `kind`, otherwise by its content member.

const partMembers = z.object({
  type: z.string().nullish(),
  kind: z.string().nullish(),
  text: z.string().nullish(),
  file: z
    .object({
      name: z.string().nullish(),
      mimeType: z.string().nullish(),
      bytes: base64Schema.nullish(),
      uri: z.string().nullish(),
    })
    .refine(({ bytes, uri }) => (uri ? !bytes : typeof bytes === 'string'), 'expected exactly one of "bytes" and "uri"')
    .nullish(),
  data: jsonSchema.optional(),
  raw: base64Schema.nullish(),
  url: z.string().nullish(),
  filename: z.string().nullish(),
  mediaType: z.string().nullish(),
  metadata: metadataSchema.nullish(),
});

type PartMembers = z.infer<typeof partMembers>;

const partSchema = partMembers.transform((members, context): Part => {
  const part = readAs(members.type ?? members.kind ?? '', members);
  if (part) return part;
  const { type, kind } = members;
  const declared = type ?? kind;
  const found = declared ? `a part of type "${declared.slice(0, 40)}" without its content` : 'a part without content';
  context.addIssue({ code: 'custom', message: `expected "text", "file" or "data"; found ${found}` });
  return z.NEVER;
});

function readAs(type: string, members: PartMembers): Part | null {
  const readers: Record<string, () => Part | null> = {
    text: () => {
      const { text, data } = members;
      if (text == null) return null;
      // Data whose JSON is also the text, as Parley writes it for text-only variants.
      if (data !== undefined && text === JSON.stringify(data)) return readData(data, members);
      const metadata = members.metadata ?? undefined;
      const mediaType = members.mediaType || mediaTypeIn(metadata);
      return { kind: 'text', text, filename: members.filename || undefined, mediaType, metadata };
    },
    file: () => readFile(members),
    data: () => (members.data === undefined ? null : readData(members.data, members)),
  };
  const named = Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (named) return named();
  // Without a type, a null member counts as absent.
  const found = readers.text?.() ?? readers.file?.() ?? null;
  return found ?? (members.data == null ? null : (readers.data?.() ?? null));
}

function readData(data: JsonValue, { filename, mediaType, metadata }: PartMembers): Part {
  const part = unwrapData(data, metadata ?? undefined);
  return { ...part, filename: filename || undefined, mediaType: mediaType || part.mediaType };
}

function readFile({ file, raw, url, filename, mediaType, ...members }: PartMembers): Part | null {
  const common = {
    filename: file?.name || filename || undefined,
    mediaType: file?.mimeType || mediaType || undefined,
    metadata: members.metadata ?? undefined,
  };
  const uri = file?.uri || url;
  if (uri) return { kind: 'uri', uri, ...common };
  const bytes = file?.bytes ?? raw;
  return bytes == null ? null : { kind: 'bytes', bytes, ...common };
}

/** The params of a send. Compiled, because every message is validated with this schema. */
export const sendSchema = z.compile(
  z.object({
    id: none.or(idSchema).nullish(),
    sessionId: none.or(idSchema).nullish(),
    message: z.object({
      role: z.literal(['user', 'ROLE_USER'], 'expected "user": callers speak for the user'),
      parts: z.array(partSchema).min(1, 'expected at least one part'),
      metadata: metadataSchema.nullish(),
    }),
    acceptedOutputModes: z.array(z.string()).nullish(),
    historyLength: historyLengthSchema.nullish(),
    pushNotification: pushTargetSchema.nullish(),
    metadata: metadataSchema.nullish(),
  }),
);

export const pushSetSchema = z.object({ id: idSchema, pushNotificationConfig: pushTargetSchema });

export const listSchema = z.object({ sessionId: none.or(idSchema).nullish(), ...v03ListSchema.shape });
