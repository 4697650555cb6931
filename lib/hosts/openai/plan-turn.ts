import { randomUUID } from 'node:crypto';
import type { Part } from '../../protocol/a2a/core/model';
import { listContextTasks, readContextTasks } from '../../tasks';
import { AnswerReader } from '../answers/read-answer';
import { keyFor } from '../client-identity';
import { type AnsweredTurn, findTurns, takeLostAnswer } from '../store/turns';
import type { AgentRequest } from './agent-request';
import { type Continuation, type Conversations, deriveToken, findContinuation, hashOf } from './continuation';
import {
  digestOf,
  earlierMessagesOf,
  instructionsOf,
  isInstruction,
  newTurnToken,
  partsOf,
  readTranscript,
  type Transcript,
  type TranscriptMessage,
  type TurnToken,
} from './transcript';

/** The turn that a request starts, or has already started. */
export interface PlannedTurn {
  transcript: Transcript;
  token: TurnToken;
  contextId: string;
  openTaskId: string | undefined;
  taskTurn: number;
  /** The parts that the agent receives. */
  parts: Part[];
  /** Hash of the instructions that the agent has after the turn. */
  instructions: string;
  /** The idempotency key, which is the same for a repeated request. */
  idempotencyKey: string;
  /** The hash of the turn that it follows, whose continuation it has reserved; null for none. */
  follows: string | null;
  /** True if the client identifies the conversation by its own id, so that the answer needs no marker. */
  isNamed: boolean;
}

/**
 * Determines the message of a request to the agent, and its context. A conversation without an identifier starts a new
 * context, whose first message contains the earlier messages.
 * @throws {ParleyError} `invalid_request`; `not_found` for a context or response of another user
 */
export async function planTurn(conversations: Conversations, request: AgentRequest): Promise<PlannedTurn> {
  const transcript = readTranscript(request.messages, request.pointer);
  const next = partsOf(transcript.next, request.pointer);
  const found = await findContinuation(conversations, request, transcript);
  const opening = await openingOf(conversations, request, { transcript, found });
  const token = found?.token ?? newToken(conversations, request);
  const given = [...transcript.earlier, ...transcript.next].filter(isInstruction);
  const contextId = found?.contextId ?? randomUUID();
  return {
    transcript,
    token,
    contextId,
    openTaskId: found?.openTaskId,
    taskTurn: found?.taskTurn ?? 1,
    parts: [...opening, ...next],
    instructions: given.length > 0 || !found?.instructions ? digestOf(given) : found.instructions,
    idempotencyKey: await keyOf(conversations, request, { token, isContinued: found?.turn !== undefined }),
    follows: found?.turn?.hash ?? null,
    isNamed: request.contextId !== undefined || request.previous !== undefined,
  };
}

/** Returns the parts before the message: all earlier content that the agent has not received yet. */
async function openingOf(
  conversations: Conversations,
  request: AgentRequest,
  { transcript, found }: { transcript: Transcript; found: Continuation | null },
): Promise<Part[]> {
  const instructions = instructionsOf(transcript);
  const { earlier, next } = transcript;
  if (found?.instructions == null) {
    return [...instructions, ...earlierMessagesOf(await earlierMessagesFor(conversations, request, earlier))];
  }
  return digestOf([...earlier, ...next].filter(isInstruction)) === found.instructions ? [] : instructions;
}

function newToken({ owner }: Conversations, { endUser, idempotencyKey }: AgentRequest): TurnToken {
  if (idempotencyKey === undefined) return newTurnToken();
  return deriveToken(owner.userId, owner.agentId, endUser, idempotencyKey);
}

async function keyOf(
  { owner }: Conversations,
  request: AgentRequest,
  { token, isContinued }: { token: TurnToken; isContinued: boolean },
): Promise<string> {
  const { endUser, idempotencyKey, isRepeat, fingerprint } = request;
  if (idempotencyKey !== undefined) return keyFor(endUser, idempotencyKey);
  const own = `v1-${hashOf(request, token)}`;
  if (isContinued || !isRepeat) return own;
  return (await takeLostAnswer({ ...owner, request: fingerprint })) ?? own;
}

/**
 * Returns the earlier messages of a request that starts another version of its conversation. Messages to which the
 * request only refers are read from the stored tasks: the previous response, or items by their ids.
 */
async function earlierMessagesFor(
  conversations: Conversations,
  request: AgentRequest,
  earlier: TranscriptMessage[],
): Promise<TranscriptMessage[]> {
  const at = earlier.findLastIndex(({ isReference }) => isReference === true);
  const token = request.previous?.token ?? earlier[at]?.token;
  if (!token) return earlier;
  const [turn] = await findTurns(conversations.owner, [hashOf(request, token)]);
  if (!turn) return earlier.filter(({ isReference }) => isReference !== true);
  const given = request.previous ? earlier : earlier.slice(at + 1);
  return [...(await readConversation(conversations, turn)), ...given];
}

/** Returns the messages of a context up to a turn. */
async function readConversation(
  { ctx, agent }: Conversations,
  { contextId, taskId, taskTurn }: AnsweredTurn,
): Promise<TranscriptMessage[]> {
  const summaries = await listContextTasks({ ctx, input: { agent, contextId } });
  const ids = summaries.map(({ id }) => id);
  const taskIds = ids.slice(0, ids.indexOf(taskId ?? '') + 1);
  const tasks = await readContextTasks({ ctx, input: { agent, taskIds } });
  return tasks.flatMap(({ id, events }) => {
    const messages: TranscriptMessage[] = [];
    let reader = new AnswerReader(id);
    const addAnswer = (): void => {
      if (reader.content !== '') messages.push(textMessage('assistant', reader.content));
      reader = new AnswerReader(id);
    };
    let turns = 0;
    for (const stored of events) {
      if (stored.event.type !== 'message') {
        reader.read(stored);
        continue;
      }
      addAnswer();
      turns++;
      if (id === taskId && turns > taskTurn) return messages;
      messages.push({ role: 'user', parts: stored.event.message.parts, token: null });
    }
    addAnswer();
    return messages;
  });
}

function textMessage(role: 'assistant', text: string): TranscriptMessage {
  return { role, parts: [{ kind: 'text', text }], token: null };
}
