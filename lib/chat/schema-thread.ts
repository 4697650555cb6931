import { z } from 'zod';
import { priceSummarySchema } from '../catalog/schema-prices';
import { time } from '../platform/schema';
import type { TaskEvent } from '../protocol/a2a/core/events';
import { MESSAGE_ORIGINS } from '../protocol/a2a/core/message-origin';
import type { Artifact, Message, Part } from '../protocol/a2a/core/model';
import type { JsonObject, JsonValue } from '../protocol/json';
import { httpExchangeSchema, taskStateSchema } from '../tasks/schema';
import { chainViewSchema } from '../tasks/schema-chains';
import { MAX_CONVERSATION_ID_LENGTH, MAX_FEEDBACK_NOTE_LENGTH } from './limits';
import { conversationViewSchema } from './schema';

const feedbackCategories = ['wrong', 'incomplete', 'off-topic', 'slow', 'unsafe', 'other'] as const;

/** Body of `PUT /api/chat/tasks/{id}/feedback/{seq}`. */
export const giveFeedbackSchema = z.object({
  conversationId: z.string().max(MAX_CONVERSATION_ID_LENGTH),
  verdict: z.enum(['good', 'bad']),
  category: z.enum(feedbackCategories).optional(),
  note: z.string().trim().max(MAX_FEEDBACK_NOTE_LENGTH).optional(),
});
export type GiveFeedback = z.infer<typeof giveFeedbackSchema>;

/** The user's feedback on the answer that starts with event `seq` of a task. */
export const feedbackViewSchema = z.object({
  taskId: z.string(),
  seq: z.int(),
  verdict: z.enum(['good', 'bad']),
  category: z.string().nullable(),
  note: z.string().nullable(),
});
export type FeedbackView = z.infer<typeof feedbackViewSchema>;

/** Feedback on an agent's answers since `since`, for its owner, without users and messages. Latest notes first. */
export const feedbackCountsSchema = z.object({
  good: z.int(),
  bad: z.int(),
  categories: z.array(z.object({ category: z.string(), count: z.int() })).describe('Reasons for negative feedback'),
  notes: z.array(z.object({ verdict: z.string(), category: z.string().nullable(), note: z.string(), at: time })),
  since: time,
});
export type FeedbackCounts = z.infer<typeof feedbackCountsSchema>;

// The schemas of the core model are here, because browsers load the model itself without zod.

const jsonObject = z.record(z.string(), z.unknown()) as z.ZodType<JsonObject>;
const data = z.unknown() as z.ZodType<JsonValue>;

const common = {
  filename: z.string().optional(),
  mediaType: z.string().optional(),
  metadata: jsonObject.optional(),
};

export const partSchema: z.ZodType<Part> = z.union([
  z.object({ kind: z.literal('text'), text: z.string(), ...common }),
  z.object({ kind: z.literal('bytes'), bytes: z.string().describe('base64'), ...common }),
  z.object({ kind: z.literal('uri'), uri: z.string(), ...common }),
  z.object({
    kind: z.literal('data'),
    data,
    text: z.string().optional().describe('The data as sent by the agent, if stored'),
    ...common,
  }),
]);

export const messageSchema: z.ZodType<Message> = z.object({
  messageId: z.string(),
  role: z.enum(['user', 'agent']),
  parts: z.array(partSchema),
  contextId: z.string().optional(),
  taskId: z.string().optional(),
  referenceTaskIds: z.array(z.string()).optional(),
  extensions: z.array(z.string()).optional(),
  metadata: jsonObject.optional(),
});

export const artifactSchema: z.ZodType<Artifact> = z.object({
  artifactId: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  parts: z.array(partSchema),
  extensions: z.array(z.string()).optional(),
  metadata: jsonObject.optional(),
});

const statusSchema = z.object({
  state: taskStateSchema,
  message: messageSchema.optional(),
  timestamp: z.string().describe('ISO 8601'),
});

const taskEventSchema: z.ZodType<TaskEvent> = z.union([
  z.object({
    type: z.literal('message'),
    message: messageSchema,
    source: z
      .object({
        origin: z.enum(MESSAGE_ORIGINS).describe('Who wrote it: the person, an agent for them, or Parley'),
        passedOn: z.string().optional().describe('The message that an agent of Parley passed on'),
      })
      .optional(),
    taskMetadata: jsonObject.optional(),
  }),
  z.object({ type: z.literal('status'), status: statusSchema, metadata: jsonObject.optional() }),
  z.object({
    type: z.literal('artifact'),
    artifact: artifactSchema,
    append: z.boolean(),
    lastChunk: z.boolean(),
    metadata: jsonObject.optional(),
  }),
  z.object({ type: z.literal('reply'), message: messageSchema, timestamp: z.string() }),
]);

/** An agent on the chat page. */
const chatAgentSchema = z.object({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  /** Input modes of the agent's card, for the attachment button. */
  inputModes: z.array(z.string()),
  /** Example prompts of the card's skills. */
  examples: z.array(z.string()),
  closed: z.string().nullable().describe('Why no message can be sent; null if one can be'),
  price: priceSummarySchema,
  isOpenToGuests: z.boolean().describe('True if visitors without an account can send messages'),
});
export type ChatAgent = z.infer<typeof chatAgentSchema>;

/** A job that an agent does, and the message that asks for it. */
export interface Need {
  slug: string;
  job: string;
  message: string;
}

/**
 * One event of a task. Merged chunks of an artifact cover the sequence numbers `from` to `seq`; otherwise `from` is
 * absent. There are no gaps between events.
 */
const threadEventSchema = z.object({
  seq: z.int(),
  from: z.int().optional().describe('The first of the merged chunks; otherwise the same as seq'),
  event: taskEventSchema,
});
export type ThreadEvent = z.infer<typeof threadEventSchema>;

/** One task of a thread with its events so far. */
const threadTaskSchema = z.object({ id: z.string(), createdAt: time, events: z.array(threadEventSchema) });
export type ThreadTask = z.infer<typeof threadTaskSchema>;

/**
 * A message with edited versions: the displayed task, the context ids of all versions, and the index of the displayed
 * one.
 */
const forkSchema = z.object({ taskId: z.string(), versions: z.array(z.string()), at: z.int() });
export type Fork = z.infer<typeof forkSchema>;

/** The displayed branch of a conversation. An edited message starts a branch with its own A2A context. */
const branchViewSchema = z.object({
  id: z.string(),
  beginsAt: z.string().nullable().describe('The first task of the page, if there are earlier ones'),
  forks: z.array(forkSchema),
});
export type BranchView = z.infer<typeof branchViewSchema>;

/** Response of `GET /api/chat/conversations/{id}`. */
export const threadViewSchema = z.object({
  conversation: conversationViewSchema,
  agent: chatAgentSchema,
  branch: branchViewSchema,
  at: z.string().nullable().describe('The task that `at` asked for, or its replacement in this branch'),
  tasks: z.array(threadTaskSchema),
  hasOlder: z.boolean().describe('There are more tasks before the first one'),
  chains: z.array(chainViewSchema).describe('Calls that agents made for the user in these tasks'),
  /** The user's feedback on answers in these tasks. */
  feedback: z.array(feedbackViewSchema),
  cursor: z.string().describe('The value of `after` for the events that follow'),
});
export type ThreadView = z.infer<typeof threadViewSchema>;

/** One server-sent event of `GET /api/chat/conversations/{id}/events`: events to append to one task. */
export interface ThreadUpdate {
  taskId: string;
  createdAt: string;
  events: ThreadEvent[];
}

/** Response of `GET /api/chat/tasks/{id}/wire`: the HTTP exchanges between Parley and the agent for one task. */
export const httpTraceViewSchema = z.object({
  exchanges: z.array(httpExchangeSchema),
  open: z.boolean().describe('A turn is running; the exchange is returned when it ends'),
});
export type HttpTraceView = z.infer<typeof httpTraceViewSchema>;
