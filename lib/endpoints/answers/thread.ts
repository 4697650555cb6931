import { z } from 'zod';
import type { SharePreview, ThreadView } from '../../chat/schema';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { Artifact, Message, Part, TaskState } from '../../protocol/a2a/core/model';
import type { JsonObject, JsonValue } from '../../protocol/json';
import { conversationAnswer, feedbackView } from './chat';
import { agentName, time } from './common';

const jsonObject = z.record(z.string(), z.unknown()) as z.ZodType<JsonObject>;
const data = z.unknown() as z.ZodType<JsonValue>;

const common = {
  filename: z.string().optional(),
  mediaType: z.string().optional(),
  metadata: jsonObject.optional(),
};

export const part: z.ZodType<Part> = z.union([
  z.object({ kind: z.literal('text'), text: z.string(), ...common }),
  z.object({ kind: z.literal('bytes'), bytes: z.string().describe('base64'), ...common }),
  z.object({ kind: z.literal('uri'), uri: z.string(), ...common }),
  z.object({
    kind: z.literal('data'),
    data,
    text: z.string().optional().describe('The data as its agent wrote it, where that is kept'),
    ...common,
  }),
]);

export const message: z.ZodType<Message> = z.object({
  messageId: z.string(),
  role: z.enum(['user', 'agent']),
  parts: z.array(part),
  contextId: z.string().optional(),
  taskId: z.string().optional(),
  referenceTaskIds: z.array(z.string()).optional(),
  extensions: z.array(z.string()).optional(),
  metadata: jsonObject.optional(),
});

export const artifact: z.ZodType<Artifact> = z.object({
  artifactId: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  parts: z.array(part),
  extensions: z.array(z.string()).optional(),
  metadata: jsonObject.optional(),
});

export const taskState: z.ZodType<TaskState> = z.enum([
  'submitted',
  'working',
  'input-required',
  'auth-required',
  'completed',
  'failed',
  'canceled',
  'rejected',
]);

const status = z.object({
  state: taskState,
  message: message.optional(),
  timestamp: z.string().describe('ISO 8601'),
});

const event: z.ZodType<TaskEvent> = z.union([
  z.object({ type: z.literal('message'), message, taskMetadata: jsonObject.optional() }),
  z.object({ type: z.literal('status'), status, metadata: jsonObject.optional() }),
  z.object({
    type: z.literal('artifact'),
    artifact,
    append: z.boolean(),
    lastChunk: z.boolean(),
    metadata: jsonObject.optional(),
  }),
  z.object({ type: z.literal('reply'), message, timestamp: z.string() }),
]);

export const threadView: z.ZodType<ThreadView> = z.object({
  conversation: conversationAnswer,
  agent: z.object({
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    inputModes: z.array(z.string()),
    examples: z.array(z.string()),
    closed: z.string().nullable().describe('Why no message can be sent'),
  }),
  branch: z.object({
    id: z.string(),
    beginsAt: z.string().nullable().describe('The task with which it begins, if others stand before it'),
    forks: z.array(z.object({ taskId: z.string(), versions: z.array(z.string()), at: z.int() })),
  }),
  at: z.string().nullable().describe('The task that `at` asked for, or what stands in its place in this version'),
  tasks: z.array(
    z.object({
      id: z.string(),
      createdAt: time,
      events: z.array(
        z.object({
          seq: z.int(),
          from: z.int().optional().describe('The first of the chunks that are joined; else as seq'),
          event,
        }),
      ),
    }),
  ),
  hasOlder: z.boolean().describe('`before` the first of the tasks has more'),
  feedback: z.array(feedbackView),
  cursor: z.string().describe('`after` of the events that go on from here'),
});

export const sharePreview: z.ZodType<SharePreview> = z.object({
  thread: z.object({
    title: z.string(),
    agent: agentName,
    turns: z.array(
      z.object({
        key: z.string(),
        taskId: z.string(),
        role: z.enum(['user', 'agent']),
        pieces: z.array(
          z.union([
            z.object({ kind: z.literal('part'), part }),
            z.object({ kind: z.literal('file'), name: z.string(), mediaType: z.string() }),
            z.object({ kind: z.literal('withheld'), what: z.enum(['payment', 'declined', 'data']) }),
          ]),
        ),
      }),
    ),
  }),
  tasks: z.array(z.object({ id: z.string(), seq: z.int() })).describe('What a link is made with'),
});
