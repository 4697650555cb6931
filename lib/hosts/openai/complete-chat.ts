import type { Ctx, UserActor } from '../../platform/context';
import { type ErrorCode, hasCode, ParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/runtime/log';
import { endsTurn } from '../../protocol/a2a/core/model';
import { MAX_WAIT_MS, type StreamItem, type TaskTurn } from '../../tasks';
import { authorizeCallsByUrl, callerOf } from '../../tokens';
import { linksAfterTurn } from '../answers/answer-links';
import { type AnswerDelta, AnswerReader } from '../answers/read-answer';
import { callAgent, findCallableAgent, streamFromAgent } from '../answers/send-to-agent';
import { releaseContinuation, saveLostAnswer, saveTurn } from '../store/turns';
import type { AgentRequest } from './agent-request';
import { type Conversations, hashOf } from './continuation';
import { type PlannedTurn, planTurn } from './plan-turn';
import { digestOf, exchangesOf, markerFor, type TranscriptMessage, type TurnToken } from './transcript';

/** A running completion. */
export interface Completion {
  taskId: string;
  contextId: string;
  /** Identifies the turn in ids that the client receives. */
  token: TurnToken;
  /** The agent's slug. */
  model: string;
  createdAt: Date;
  /** The answer so far. */
  answer: AnswerReader;
  /** Yields the answer as the agent writes it. Throws `task_failed`. Closing it does not affect the task. */
  deltas: AsyncGenerator<AnswerDelta[]>;
}

/** A planned turn of a request, and its conversation. */
interface Call {
  conversations: Conversations;
  request: AgentRequest;
  plan: PlannedTurn;
  user: UserActor;
}

/**
 * Sends the messages that the agent has not received yet, in the context that the client identifies, or together with
 * the earlier messages in a new one. If a request whose answer did not arrive is repeated, returns that answer.
 * @throws {ParleyError} `agent_not_found`, `invalid_request`, `not_found`, and the errors of the gateway's
 *   `streamMessage`
 */
export async function completeChat({ ctx, input }: { ctx: Ctx; input: AgentRequest }): Promise<Completion> {
  const user = await authorizeCallsByUrl({ ctx });
  const agent = await findCallableAgent(user, input.model, 'model');
  const owner = { userId: user.userId, agentId: agent.id };
  const conversations = { ctx: { ...ctx, actor: callerOf(user, agent) }, agent, owner };
  const plan = await planTurn(conversations, input);
  const call: Call = { conversations, request: input, plan, user };
  const stopWatching = watchForLoss(call);
  try {
    const { taskId, contextId, batches } = await startTurn(call);
    // Clients do not retry a stream that has started.
    if (input.isStream) stopWatching();
    const answer = new AnswerReader(taskId);
    const deltas = readDeltas(call, { taskId, contextId, batches, answer });
    return { taskId, contextId, token: plan.token, model: agent.slug, createdAt: ctx.now, answer, deltas };
  } catch (error) {
    await recordFailure(call, { error, taskId: null });
    throw error;
  }
}

interface StartedTurn {
  taskId: string;
  contextId: string;
  batches: AsyncIterable<StreamItem[]>;
}

async function startTurn({ conversations: { ctx, agent }, request, plan }: Call): Promise<StartedTurn> {
  const { contextId, openTaskId: taskId, parts, idempotencyKey } = plan;
  const message = { contextId, taskId, parts, idempotencyKey, bodyHash: request.fingerprint };
  if (request.isStream) return streamFromAgent(ctx, agent, message);
  return toSingleBatch(await callAgent(ctx, agent, { ...message, until: { waitMs: MAX_WAIT_MS, signal: ctx.signal } }));
}

function toSingleBatch({ items, ...turn }: TaskTurn): StartedTurn {
  async function* batches(): AsyncGenerator<StreamItem[]> {
    yield items;
  }
  return { ...turn, batches: batches() };
}

async function* readDeltas(
  call: Call,
  { taskId, contextId, batches, answer }: StartedTurn & { answer: AnswerReader },
): AsyncGenerator<AnswerDelta[]> {
  const { conversations, plan, user } = call;
  for await (const batch of batches) {
    const deltas = batch.flatMap((item) => answer.read(item));
    if (deltas.length > 0) yield deltas;
  }
  if (answer.failure) {
    await recordFailure(call, { error: answer.failure, taskId });
    throw answer.failure;
  }
  if (!endsTurn(answer.state)) yield [answer.append(`The agent has not finished the task ${taskId}.`)];
  const { hasData } = answer;
  const links = await linksAfterTurn(user, { taskId, hasData, isContinued: plan.openTaskId !== undefined });
  if (links !== '') yield [answer.append(links)];
  // If the client disconnected, it received no answer, which a repeated request can still return.
  if (conversations.ctx.signal.aborted) return;
  await storeTurn(call, { taskId, contextId, answer: answer.content });
  if (!plan.isNamed) yield [answer.mark(markerFor(answer.content, plan.token))];
}

/** Stores a turn, so that it can be continued. `answer` is null for a failed turn. */
async function storeTurn(
  { conversations: { owner }, request, plan }: Call,
  { taskId, contextId, answer }: { taskId: string | null; contextId: string; answer: string | null },
): Promise<void> {
  const { earlier, next } = plan.transcript;
  const said: TranscriptMessage = { role: 'assistant', parts: [{ kind: 'text', text: answer ?? '' }], token: null };
  const messages = [...earlier, ...next, said];
  const { endUser, chat } = request;
  await saveTurn({
    ...owner,
    hash: hashOf(request, plan.token),
    endUser,
    contextId,
    taskId,
    taskTurn: plan.taskTurn,
    said: digestOf(exchangesOf(messages).at(-2) ?? []),
    instructions: plan.instructions,
    chat,
    transcript: chat === null || answer === null ? null : digestOf(messages),
    createdAt: new Date(),
  });
}

/** Errors after which the agent may have completed its work, so that the same turn cannot start again. */
const failuresOfTurn: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['task_failed', 'agent_unreachable', 'agent_timeout', 'agent_misbehaved', 'worker_lost', 'internal'] as const),
]);

/** Stores a continuation that failed as a turn, so that the user's next attempt starts a new context. */
async function recordFailure(call: Call, { error, taskId }: { error: unknown; taskId: string | null }): Promise<void> {
  const { plan } = call;
  const { owner } = call.conversations;
  const { isRepeat, fingerprint: next } = call.request;
  if (error instanceof ParleyError && !failuresOfTurn.has(error.code)) {
    // Another message may follow instead.
    if (plan.follows && !isRepeat) await releaseContinuation(owner, { hash: plan.follows, next });
  } else if (plan.follows) await storeTurn(call, { taskId, contextId: plan.contextId, answer: null });
  else if (!hasCode(error, 'task_failed')) await rememberLoss(call);
}

/**
 * Stores the turn of a request that starts a conversation if its client disconnects, because a repeated request could
 * not be recognized otherwise. Returns a function that stops waiting for a disconnect.
 */
function watchForLoss(call: Call): () => void {
  const { signal } = call.conversations.ctx;
  if (call.plan.follows !== null || call.request.idempotencyKey !== undefined) return () => undefined;
  const onAbort = (): void =>
    void rememberLoss(call).catch((error) => log.error('lost_answer.failed', errorFields(error)));
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

async function rememberLoss({ conversations: { owner }, request, plan }: Call): Promise<void> {
  if (request.idempotencyKey !== undefined) return;
  await saveLostAnswer({ ...owner, request: request.fingerprint, key: plan.idempotencyKey });
}
