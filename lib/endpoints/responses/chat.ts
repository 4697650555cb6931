import { z } from 'zod';
import type {
  ConversationView,
  CreatedShare,
  FeedbackCounts,
  FeedbackView,
  HttpTraceView,
  PostedMessage,
  SearchResult,
  SharePreview,
  ShareView,
  ThreadView,
} from '../../chat/schema';
import { agentName, time } from '../../platform/schema';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { Artifact, Message, Part, TaskState } from '../../protocol/a2a/core/model';
import type { JsonObject, JsonValue } from '../../protocol/json';

export const conversationSummary: z.ZodType<ConversationView> = z.object({
  id: z.string(),
  title: z.string(),
  agent: agentName,
  updatedAt: time,
});

export const postedMessage: z.ZodType<PostedMessage> = z.object({
  conversationId: z.string(),
  branch: z.string(),
  taskId: z.string(),
});

export const searchResult: z.ZodType<SearchResult> = z.object({
  hits: z.array(
    z.object({
      conversation: conversationSummary,
      branch: z.string(),
      taskId: z.string(),
      role: z.enum(['user', 'agent']),
      at: time,
      excerpt: z.object({ before: z.string(), match: z.string(), after: z.string() }),
    }),
  ),
  more: z.boolean().describe('There are more; more words find fewer'),
});

const share = z.object({ id: z.string(), createdAt: time, tasks: z.int().describe('How many it shows') });

export const shareView: z.ZodType<ShareView> = share;
export const createdShare: z.ZodType<CreatedShare> = share.extend({ url: z.string().describe('Told only here') });

export const feedbackView: z.ZodType<FeedbackView> = z.object({
  taskId: z.string(),
  seq: z.int(),
  verdict: z.enum(['good', 'bad']),
  category: z.string().nullable(),
  note: z.string().nullable(),
});

export const feedbackCounts: z.ZodType<FeedbackCounts> = z.object({
  good: z.int(),
  bad: z.int(),
  categories: z.array(z.object({ category: z.string(), count: z.int() })).describe('Of the bad ones'),
  notes: z.array(z.object({ verdict: z.string(), category: z.string().nullable(), note: z.string(), at: time })),
  since: time,
});

const bytes = z.int().describe('Bytes on the wire');
const ms = z.number().describe('Milliseconds');
const headers = z.record(z.string(), z.string());

export const httpTraceView: z.ZodType<HttpTraceView> = z.object({
  exchanges: z.array(
    z.object({
      at: time,
      ms,
      method: z.string(),
      dialect: z.string(),
      requestId: z.string(),
      request: z.object({ method: z.string(), url: z.string(), headers, body: z.string(), bytes }),
      answer: z
        .object({
          status: z.int(),
          headers,
          bytes,
          events: z.array(z.object({ ms, bytes, text: z.string() })),
          moreEvents: z.int(),
        })
        .nullable(),
      failure: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
  open: z.boolean().describe('An exchange is under way; it is told at its end'),
});

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
  conversation: conversationSummary,
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
