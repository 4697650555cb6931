import { z } from 'zod';
import type { HttpExchange } from '../gateway/schema';
import type { TaskEvent } from '../protocol/a2a/core/events';
import type { Part } from '../protocol/a2a/core/model';

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

/** A message that was said in several ways: at which of the tasks that are shown, in which branches, the shown one being `at`. */
export interface Fork {
  taskId: string;
  versions: string[];
  at: number;
}

/** The version of a conversation that is read: from an edited message on, a branch has a context of its own. */
export interface BranchView {
  id: string;
  /** The task with which this version begins, when it has others before it that the agent does not know of. */
  beginsAt: string | null;
  forks: Fork[];
}

/** What the chat page starts from; `GET /api/chat/conversations/{id}`. */
export interface ThreadView {
  conversation: ConversationView;
  agent: ChatAgent;
  branch: BranchView;
  /** The task that was asked for by `?at=`, or what stands in its place in this version; null when there is none. */
  at: string | null;
  tasks: ThreadTask[];
  /** True when there are tasks before the first of these: `?before=` its id has them. */
  hasOlder: boolean;
  /** What the person thinks of answers in these tasks. */
  feedback: FeedbackView[];
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
  /** The branch in which it is said; left out: the one with the latest message. */
  branch: z.string().max(255).optional(),
  /** The task whose first message this is said instead of: it begins a branch. */
  edits: z.uuid().optional(),
});
export type PostMessage = z.infer<typeof postMessageSchema>;

/** Answer of `POST /api/chat/messages`, once the message is on disk. */
export interface PostedMessage {
  conversationId: string;
  branch: string;
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

/** Body of `POST /api/chat/pictures`. */
export const signImageUrlSchema = z.object({ url: z.string().max(4_000) });

/** Body of `POST /api/chat/tasks/{id}/cancel`. */
export const cancelTaskSchema = z.object({ conversationId: z.string().max(60) });

/** Texts with what was looked for in between. */
export interface Excerpt {
  before: string;
  match: string;
  after: string;
}

/** A message or an answer in which a search found its words. */
export interface SearchHit {
  conversation: ConversationView;
  branch: string;
  taskId: string;
  role: 'user' | 'agent';
  at: string;
  excerpt: Excerpt;
}

/** Answer of `GET /api/chat/search`: latest first, at most three of one conversation unless only one is searched. */
export interface SearchResult {
  hits: SearchHit[];
  /** There are more than are told; more words find fewer. */
  more: boolean;
}

const feedbackCategories = ['wrong', 'incomplete', 'off-topic', 'slow', 'unsafe', 'other'] as const;

/** Body of `PUT /api/chat/tasks/{id}/feedback/{seq}`. */
export const giveFeedbackSchema = z.object({
  conversationId: z.string().max(60),
  verdict: z.enum(['good', 'bad']),
  category: z.enum(feedbackCategories).optional(),
  note: z.string().trim().max(1_000).optional(),
});
export type GiveFeedback = z.infer<typeof giveFeedbackSchema>;

/** What the person thinks of the answer that begins with event `seq` of a task. */
export interface FeedbackView {
  taskId: string;
  seq: number;
  verdict: GiveFeedback['verdict'];
  category: string | null;
  note: string | null;
}

/** What people think of an agent's answers, for its owner; neither who they are nor what was said. */
export interface FeedbackCounts {
  good: number;
  bad: number;
  /** Of the bad ones. */
  categories: { category: string; count: number }[];
  /** What was written, latest first. */
  notes: { verdict: string; category: string | null; note: string; at: string }[];
  /** Since when is counted; ISO 8601. */
  since: string;
}

/** A part of what was said as strangers see it; what they do not see says so. */
export type SharedPiece =
  | { kind: 'part'; part: Part }
  | { kind: 'file'; name: string; mediaType: string }
  | { kind: 'withheld'; what: 'payment' | 'declined' | 'data' };

/** What one side said in a shared conversation. */
export interface SharedTurn {
  key: string;
  taskId: string;
  role: 'user' | 'agent';
  pieces: SharedPiece[];
}

/** A conversation as it is shared: without payments, secrets, addresses of mail, and files. */
export interface SharedThread {
  title: string;
  agent: { slug: string; name: string };
  turns: SharedTurn[];
}

const sharedTasksSchema = z
  .array(z.object({ id: z.uuid(), seq: z.number().int().min(1) }))
  .min(1)
  .max(1_000);

/** Answer of `GET …/shares/preview`: what a link would show, and the positions to make it with. */
export interface SharePreview {
  thread: SharedThread;
  tasks: z.infer<typeof sharedTasksSchema>;
}

/** Body of `POST /api/chat/conversations/{id}/shares`: what was shown as a preview. */
export const createShareSchema = z.object({ branch: z.string().max(255).optional(), tasks: sharedTasksSchema });
export type CreateShare = z.infer<typeof createShareSchema>;

/** A link to a shared conversation; its address is told once, when it is made. */
export interface ShareView {
  id: string;
  createdAt: string;
  /** Tasks that it shows. */
  tasks: number;
}

/** Answer of `POST …/shares`. */
export interface CreatedShare extends ShareView {
  url: string;
}

/** Answer of `GET /api/chat/tasks/{id}/wire`: what went between Parley and the agent for one task. */
export interface HttpTraceView {
  exchanges: HttpExchange[];
  /** An exchange is under way; it is told at its end. */
  open: boolean;
}
