import { z } from 'zod';
import type { TaskEvent } from '../protocol/a2a/core/events';

/** What all files of one message may weigh together, bytes. As base64 beside the text they fit into a body of 1 MB. */
export const MAX_FILE_BYTES = 700_000;
const MAX_FILES = 5;
const MAX_TEXT_LENGTH = 100_000;
const MAX_TITLE_LENGTH = 120;

/** A request takes 1 MB; the rest is for the names of members. */
const MAX_MESSAGE_BYTES = 1_040_000;

/** A conversation as the sidebar shows it. Times are ISO 8601. */
export interface ConversationView {
  id: string;
  title: string;
  agent: { slug: string; name: string };
  updatedAt: string;
}

/** Answer of `GET /api/chat/conversations`: latest first. */
export interface ConversationPage {
  items: ConversationView[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/** The agent as the chat page needs it. */
export interface ChatAgent {
  slug: string;
  name: string;
  description: string;
  /** Modes that the agent's card accepts, for the attachment button. */
  inputModes: string[];
  /** Prompts from the skills of the card. */
  examples: string[];
  /** Null while messages can be sent; else why not, for the person to read. */
  closed: string | null;
}

/** What a message may carry; the numbers above, as a value for the page. */
export interface ChatLimits {
  fileBytes: number;
  files: number;
  textLength: number;
  /** The whole message as it is sent, bytes of JSON. */
  messageBytes: number;
}

export const chatLimits: ChatLimits = {
  fileBytes: MAX_FILE_BYTES,
  files: MAX_FILES,
  textLength: MAX_TEXT_LENGTH,
  messageBytes: MAX_MESSAGE_BYTES,
};

/**
 * One step of a task's story. `seq` is the sequence number that it brings the reader to; a step that joins several chunks
 * of an artifact begins at `from` (else `from` is `seq`). Without gaps: each begins right after the one before.
 */
export interface ThreadEvent {
  seq: number;
  from?: number;
  event: TaskEvent;
}

/** One task of a thread with its story so far. */
export interface ThreadTask {
  id: string;
  createdAt: string;
  events: ThreadEvent[];
}

/** What the chat page starts from; `GET /api/chat/conversations/{id}`. */
export interface ThreadView {
  conversation: ConversationView;
  agent: ChatAgent;
  tasks: ThreadTask[];
  /** Where the stream of updates goes on: `?after=` of `…/events`. */
  cursor: string;
}

/** One server-sent event of `GET /api/chat/conversations/{id}/events`: steps of one task, to be appended. */
export interface ThreadUpdate {
  taskId: string;
  createdAt: string;
  events: ThreadEvent[];
}

const fileSchema = z.object({
  name: z.string().min(1).max(200),
  mediaType: z
    .string()
    .max(100)
    .regex(/^[\w.+-]+\/[\w.+-]+$/, 'expected a media type such as text/csv'),
  bytes: z.base64(),
});

/** Body of `POST /api/chat/messages`. Without `conversationId` a conversation with `agentSlug` is begun. */
export const postMessageSchema = z.object({
  conversationId: z.string().max(60).optional(),
  agentSlug: z.string().max(100).optional(),
  /** Chosen by the browser, so that a repeated post is the same message. */
  messageId: z.uuid(),
  text: z.string().max(MAX_TEXT_LENGTH),
  files: z.array(fileSchema).max(MAX_FILES).default([]),
  /** The task that asked, when this answers a question. */
  taskId: z.uuid().optional(),
});
export type PostMessage = z.infer<typeof postMessageSchema>;

/** Answer of `POST /api/chat/messages`, once the message is on disk. */
export interface PostedMessage {
  conversationId: string;
  taskId: string;
}

/** Body of `PATCH /api/chat/conversations/{id}`. */
export const renameConversationSchema = z.object({
  title: z
    .string()
    .trim()
    .min(1)
    .max(MAX_TITLE_LENGTH)
    .refine((text) => !/\p{Cc}/u.test(text), { message: 'expected text without control characters' }),
});
export type RenameConversation = z.infer<typeof renameConversationSchema>;

/** Body of `POST /api/chat/tasks/{id}/cancel`. */
export const cancelTaskSchema = z.object({ conversationId: z.string().max(60) });
