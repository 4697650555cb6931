import { decodeJwt } from 'jose';
import { type AgentTokenClaims, type Caller, callerFrom } from '../caller.js';
import type { Message, Part, StreamEvent, TaskState } from '../wire.js';
import type { AgentReply } from './agent-reply.js';
import type { Agents } from './agents.js';
import type { JsonObject } from './peer.js';

/** Output of a handler: text and parts of its answer, events of A2A 1.0, or another agent's reply. */
export type TurnOutput = string | Part | StreamEvent | AgentReply;

/** Answers a message. Yields the answer piece by piece; when it returns, the task is completed. */
export type Handler = (
  turn: Turn,
) => AsyncIterable<TurnOutput | undefined> | Promise<TurnOutput | undefined> | Promise<void>;

/** An additional artifact, separate from the answer. */
export interface NewArtifact {
  name?: string;
  description?: string;
  text?: string;
  /** JSON. */
  data?: unknown;
  parts?: Part[];
  /** Id for replacing or extending the artifact later; random by default. */
  artifactId?: string;
  /** Adds to the artifact of this id. */
  append?: boolean;
}

/** One message of a caller, with data and functions for its handler. */
export interface Turn {
  /** Stable for this turn, even if it is delivered again. */
  runId: string;
  taskId: string;
  contextId: string;
  /** 1, or higher if an earlier worker was lost with this turn. */
  attempt: number;
  message: Message;
  /** The message's text. */
  text: string;
  /** The message's parts that are files or links to files. */
  files: Part[];
  /** The message's data parts. */
  data: unknown[];
  /** Earlier messages of this task, oldest first. */
  history: Message[];
  /** True if the message continues a task: it answers `ask`. */
  isReply: boolean;
  /** The caller, as authenticated by Parley; null if unknown. */
  caller: Caller | null;
  /** The token of this call, for exchange or verification. */
  token: string;
  /** Aborts when the caller cancels. */
  signal: AbortSignal;
  /** Metadata of the request. */
  metadata: Record<string, unknown>;
  acceptedOutputModes: string[];
  agents: Agents;
  /**
   * Ends this turn with a question: `yield turn.ask('Which city?')`. The answer calls the handler again, with `isReply`
   * and `history`.
   */
  ask(question: string | Part[]): StreamEvent;
  /** Returns an artifact to yield. */
  artifact(artifact: NewArtifact): StreamEvent;
  /** Returns a status text to yield, such as "Reading the file". */
  status(text: string): StreamEvent;
}

/** Ends the turn as failed, with a text for the caller. The texts of all other errors are not sent to the caller. */
export class TurnError extends Error {
  override readonly name = 'TurnError';
}

/** The params of `run.offer`. */
export interface Offer {
  runId: string;
  epoch: number;
  attempt?: number;
  request: { message: Message; configuration?: { acceptedOutputModes?: string[] }; metadata?: JsonObject };
  task: { id: string; contextId: string; history?: Message[] };
  token?: string;
}

/** Creates the turn of an offer. `onAsk` is called with the question that ends it. */
export function createTurn(
  offer: Offer,
  { signal, agents, onAsk }: { signal: AbortSignal; agents: Agents; onAsk: (question: StreamEvent) => void },
): Turn {
  const { runId, attempt = 1, request, task, token = '' } = offer;
  const { message, configuration, metadata = {} } = request;
  const { parts } = message;
  const ids = { taskId: task.id, contextId: task.contextId };
  const history = task.history ?? [];
  return {
    ...ids,
    runId,
    attempt,
    message,
    text: parts.flatMap(({ text }) => text ?? []).join('\n'),
    files: parts.filter(({ raw, url }) => raw !== undefined || url !== undefined),
    data: parts.flatMap((part) => (part.data === undefined ? [] : [part.data])),
    history,
    isReply: history.length > 0,
    caller: callerOf(token),
    token,
    signal,
    metadata,
    acceptedOutputModes: configuration?.acceptedOutputModes ?? [],
    agents,
    ask: (question) => {
      const event = statusEvent(ids, 'TASK_STATE_INPUT_REQUIRED', question);
      onAsk(event);
      return event;
    },
    artifact: (artifact) => artifactEvent(ids, artifact),
    status: (text) => statusEvent(ids, 'TASK_STATE_WORKING', text),
  };
}

/** The ids of a task. */
export interface TaskIds {
  taskId: string;
  contextId: string;
}

/** Creates a change of state, with a message of the agent. */
export function statusEvent(ids: TaskIds, state: TaskState, content?: string | Part[] | Message): StreamEvent {
  const message = content === undefined ? undefined : messageOf(ids, content);
  const timestamp = new Date().toISOString();
  return { statusUpdate: { ...ids, status: { state, ...(message && { message }), timestamp } } };
}

function messageOf(ids: TaskIds, content: string | Part[] | Message): Message {
  if (typeof content === 'object' && !Array.isArray(content)) return content;
  const parts = typeof content === 'string' ? [{ text: content }] : content;
  return { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', parts, ...ids };
}

function artifactEvent(ids: TaskIds, given: NewArtifact): StreamEvent {
  const { text, data, parts = [], artifactId = crypto.randomUUID(), append = false, ...described } = given;
  const own: Part[] = [...(text === undefined ? [] : [{ text }]), ...(data === undefined ? [] : [{ data }])];
  const artifact = { artifactId, ...described, parts: [...own, ...parts] };
  return { artifactUpdate: { ...ids, artifact, append, lastChunk: true } };
}

/**
 * Reads the caller from a token. Its claims are not verified here, because it arrives on an authenticated connection to
 * Parley.
 */
function callerOf(token: string): Caller | null {
  try {
    return callerFrom(decodeJwt<AgentTokenClaims>(token) as AgentTokenClaims);
  } catch {
    return null;
  }
}
