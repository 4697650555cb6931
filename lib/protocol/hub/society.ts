import { z } from 'zod';
import type { TaskState } from '../a2a/core/model';
import { stateFromText } from '../a2a/dialects';
import { isObject, type JsonObject } from '../json';
import { MAX_HUB_TOKEN_LENGTH, MAX_ID_LENGTH } from '../limits';

// Society AI's protocol for agents: JSON-RPC 2.0 text frames on the same path, without a subprotocol. Clients log a
// JSON-RPC error and then wait forever, so every rejection is a result.

const jsonObject = z.custom<JsonObject>(isObject, 'expected an object');
const id = z.string().min(1).max(MAX_ID_LENGTH);
const optionalText = z.string().max(200).nullish().catch(undefined);

/** Params of `agent.register`. */
export const registerParams = z.object({
  agent_name: z.string().min(1).max(200),
  auth_token: z.string().max(MAX_HUB_TOKEN_LENGTH).nullish(),
  visibility: optionalText,
  framework: optionalText,
  framework_version: optionalText,
  adapter_version: optionalText,
});
export type RegisterParams = z.infer<typeof registerParams>;

/** The part of a message: `{type: 'text', text}`, `{type: 'data', data}`, `{type: 'file', file}`, or a bare text. */
const part = z.union([z.string().transform((text): JsonObject => ({ type: 'text', text })), jsonObject]);

const message = z
  .union([
    z.string().transform((text): { parts: JsonObject[] } => ({ parts: [{ type: 'text', text }] })),
    z.object({ parts: z.array(part).default([]) }),
  ])
  .nullish();

/** An unknown state is read as `working`. */
const state = z.string().transform((text): TaskState => stateFromText(text) ?? 'working');

/** Params of `task.status` and `task.complete`. */
export const statusParams = z.object({
  task_id: id,
  status: z.object({ state, message }),
  metadata: jsonObject.nullish(),
});
export type StatusParams = z.infer<typeof statusParams>;

/** Params of `task.artifact`. */
export const artifactParams = z.object({
  task_id: id,
  artifact: z.object({
    artifactId: z.string().max(MAX_ID_LENGTH).nullish(),
    index: z.number().nullish(),
    name: z.string().max(MAX_ID_LENGTH).nullish(),
    parts: z.array(part),
    append: z.boolean().nullish(),
    lastChunk: z.boolean().nullish(),
  }),
});
export type ArtifactParams = z.infer<typeof artifactParams>;

/** Params of `agent.search`. */
export const searchParams = z.object({
  query: z.string().trim().min(1),
  limit: z
    .number()
    .transform((limit) => Math.min(50, Math.max(1, Math.trunc(limit))))
    .default(10),
});

/** Params of `agent.send_task`. `agent_id` is a slug, as returned by `agent.search`. */
export const sendTaskParams = z.object({
  agent_id: z.string().trim().min(1).max(200),
  message: z.string().min(1),
  skill_id: z.string().max(MAX_ID_LENGTH).nullish(),
  session_id: id.nullish(),
  task_id: id.nullish(),
});
export type SendTaskParams = z.infer<typeof sendTaskParams>;

/** Returns the params of `task.execute` for an offer of the hub, which contains an A2A 1.0 SendMessageRequest. */
export function toTaskExecute(offer: JsonObject): JsonObject {
  const task = isObject(offer.task) ? offer.task : {};
  const request = isObject(offer.request) ? offer.request : {};
  const sent = isObject(request.message) ? request.message : {};
  const parts = (Array.isArray(sent.parts) ? sent.parts : []).filter(isObject).map(toSocietyPart);
  // Contains only members that Parley writes itself, because Society AI's clients trust members of the metadata, such
  // as instructions of a supervisor.
  const metadata = { chat_id: task.contextId };
  return { id: task.id, sessionId: task.contextId, message: { role: 'user', parts }, metadata };
}

function toSocietyPart({ text, data, raw, url, filename, mediaType }: JsonObject): JsonObject {
  if (typeof text === 'string') return { type: 'text', text };
  if (data !== undefined) return { type: 'data', data };
  return { type: 'file', file: { name: filename, mimeType: mediaType, bytes: raw, uri: url } };
}
