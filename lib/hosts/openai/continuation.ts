import type { AgentRecord } from '../../catalog';
import type { CallerActor, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { hmac, sha256 } from '../../platform/secrets/crypto';
import { isInterrupted } from '../../protocol/a2a/core/model';
import { listContextTasks } from '../../tasks';
import {
  type AnsweredTurn,
  claimContinuation,
  findLatestTurn,
  findTurnInChat,
  findTurns,
  type TurnOwner,
} from '../store/turns';
import type { AgentRequest } from './agent-request';
import { digestOf, exchangesOf, type Transcript, type TranscriptMessage, type TurnToken } from './transcript';

/** An agent, and the caller's context and turns with it. */
export interface Conversations {
  ctx: Ctx & { actor: CallerActor };
  agent: AgentRecord;
  owner: TurnOwner;
}

/** The position from which a request continues. */
export interface Continuation {
  contextId: string;
  /** The turn that it follows; absent if the client specified the context. */
  turn?: AnsweredTurn;
  /** The task whose question it answers. */
  openTaskId: string | undefined;
  /** The hash of the instructions that the agent has received; null for a context without turns. */
  instructions: string | null;
  taskTurn: number;
  /**
   * The token of the new turn, which is the same if the request is repeated; absent if the client specified the
   * context.
   */
  token?: TurnToken;
}

/**
 * Finds the position from which a request continues. Uses only ids that the client received with an answer or specifies
 * itself, never equal content. Returns null for a new conversation, and for one whose earlier messages were edited or
 * that was continued in another way.
 * @throws {ParleyError} `not_found` for a context or response of another user
 */
export async function findContinuation(
  conversations: Conversations,
  request: AgentRequest,
  transcript: Transcript,
): Promise<Continuation | null> {
  if (request.previous) return continueResponse(conversations, request, request.previous);
  if (request.contextId !== undefined) return continueContext(conversations, request, request.contextId);
  const { earlier } = transcript;
  const token = earlier.findLast(({ role, isCall }) => role === 'assistant' && !isCall)?.token;
  if (token) return continueMarked(conversations, request, { earlier, token });
  if (request.chat === null || earlier.length === 0) return null;
  const turn = await findTurnInChat(conversations.owner, { chat: request.chat, transcript: digestOf(earlier) });
  return turn && claim(conversations, request, turn);
}

async function continueResponse(
  conversations: Conversations,
  request: AgentRequest,
  { id, token }: { id: string; token: TurnToken | null },
): Promise<Continuation | null> {
  const hash = hashOf(request, token ?? '');
  const [turn] = token === null ? [] : await findTurns(conversations.owner, [hash]);
  if (turn) return claim(conversations, request, turn);
  throw new ParleyError(
    'not_found',
    `Found no response "${id.slice(0, 100)}" of this agent to this person. Omit previous_response_id to start a conversation.`,
    { data: { parameter: 'previous_response_id' } },
  );
}

async function continueContext(
  conversations: Conversations,
  { endUser }: AgentRequest,
  contextId: string,
): Promise<Continuation> {
  const latest = await findLatestTurn(conversations.owner, contextId);
  if (latest && latest.endUser !== endUser) {
    const text = 'X-Parley-Context: found the context of another person; expected one of this person, or a new ID.';
    throw new ParleyError('not_found', text, { data: { parameter: 'X-Parley-Context' } });
  }
  const openTaskId = await findOpenTask(conversations, contextId);
  const taskTurn = openTaskId !== undefined && latest?.taskId === openTaskId ? latest.taskTurn + 1 : 1;
  return { contextId, openTaskId, instructions: latest?.instructions ?? null, taskTurn };
}

async function continueMarked(
  conversations: Conversations,
  request: AgentRequest,
  { earlier, token }: { earlier: TranscriptMessage[]; token: TurnToken },
): Promise<Continuation | null> {
  const marked = earlier.flatMap(({ token: known }) => (known === null ? [] : [hashOf(request, known)]));
  const turns = new Map((await findTurns(conversations.owner, marked)).map((turn) => [turn.hash, turn]));
  const turn = turns.get(hashOf(request, token));
  if (!turn) return null;
  // A different chat continues a shared conversation.
  if (request.chat !== null && turn.chat !== null && request.chat !== turn.chat) return null;
  const isEdited = exchangesOf(earlier).some((exchange) => {
    const answer = exchange.at(-1);
    const known = answer?.token && !answer.isReference ? turns.get(hashOf(request, answer.token)) : undefined;
    return known !== undefined && known.said !== digestOf(exchange);
  });
  return isEdited ? null : claim(conversations, request, turn);
}

/**
 * Reserves the continuation of a turn for one request. A different request, or the same one after its answer, starts
 * another version of the turn.
 */
async function claim(
  conversations: Conversations,
  request: AgentRequest,
  turn: AnsweredTurn,
): Promise<Continuation | null> {
  const { owner } = conversations;
  const token = deriveToken(turn.hash, request.fingerprint);
  const [answered] = await findTurns(owner, [hashOf(request, token)]);
  if (answered && !request.isRepeat) return null;
  if (!(await claimContinuation(owner, { hash: turn.hash, next: request.fingerprint }))) return null;
  const open = answered ? undefined : await findOpenTask(conversations, turn.contextId);
  // This turn cannot answer a question of another turn.
  const openTaskId = open !== undefined && open === turn.taskId ? open : undefined;
  const taskTurn = openTaskId === undefined ? 1 : turn.taskTurn + 1;
  return { contextId: turn.contextId, turn, openTaskId, instructions: turn.instructions, taskTurn, token };
}

/** Returns the task of a context that waits for an answer of the caller. */
async function findOpenTask({ ctx, agent }: Conversations, contextId: string): Promise<string | undefined> {
  const tasks = await listContextTasks({ ctx, input: { agent, contextId } });
  const last = tasks.at(-1);
  return last && isInterrupted(last.state) ? last.id : undefined;
}

/** Derives a token where a random one is not possible. Only this Parley deployment can compute it. */
export function deriveToken(...values: string[]): TurnToken {
  return sha256(hmac('openai-turn', JSON.stringify(values))).slice(0, 32);
}

/**
 * Returns the hash that identifies a turn in the database. It includes the end user, so that another end user's token
 * does not match.
 */
export function hashOf({ endUser }: Pick<AgentRequest, 'endUser'>, token: TurnToken): string {
  return sha256(JSON.stringify([endUser, token]));
}
