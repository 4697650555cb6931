import { randomUUID } from 'node:crypto';
import type { AgentRecord } from '../../catalog';
import { listContextTasks, MAX_WAIT_MS, type StreamItem, type TaskTurn } from '../../gateway';
import type { Ctx } from '../../platform/context';
import { endsTurn, isInterrupted } from '../../protocol/a2a/core/model';
import { authorizeCallsByUrl, callerOf } from '../../tokens';
import { findCallableAgent } from '../answers/find-callable-agent';
import { linksAfterTurn } from '../answers/order-links';
import { type AnswerDelta, AnswerReader } from '../answers/read-answer';
import { callAgent, streamFromAgent } from '../answers/send-to-agent';
import type { ChatCompletionRequest } from '../schema-openai';
import { findTranscriptContext, saveTranscript } from '../store/transcripts';
import { openingOf, partsOf, readTranscript, transcriptHash } from './read-transcript';

/** A running completion. */
export interface Completion {
  taskId: string;
  contextId: string;
  /** The agent's slug. */
  model: string;
  createdAt: Date;
  /** What has been read of the answer so far. */
  answer: AnswerReader;
  /** The answer as the agent writes it; throws `task_failed`. Closing it does not affect the task. */
  deltas: AsyncGenerator<AnswerDelta[]>;
}

interface CompletionInput extends Pick<ChatCompletionRequest, 'model' | 'messages' | 'stream'> {
  /** The context to continue; by default the one in which the transcript's last answer was given. */
  contextId?: string;
  idempotencyKey?: string;
}

/**
 * Sends the messages that follow the last answer to an agent. The transcript finds the context in which that answer was
 * given, and a question that it asked; an unknown transcript begins a context, and is sent with the message.
 * @throws {ParleyError} `agent_not_found`, `invalid_request`, and what the gateway's `streamMessage` throws
 */
export async function completeChat({ ctx, input }: { ctx: Ctx; input: CompletionInput }): Promise<Completion> {
  const user = await authorizeCallsByUrl({ ctx });
  const agent = await findCallableAgent(user, input.model, 'model');
  const callerCtx = { ...ctx, actor: callerOf(user, agent) };
  const transcript = readTranscript(input.messages);
  const { earlier, next } = transcript;
  const key = { userId: user.userId, agentId: agent.id };
  const known =
    input.contextId ??
    (earlier.length > 0 ? await findTranscriptContext({ ...key, hash: transcriptHash(earlier) }) : null);
  const parts = partsOf(next);
  const openTask = known === null ? undefined : await findOpenTask(callerCtx, agent, known);
  const message = {
    contextId: known ?? randomUUID(),
    taskId: openTask,
    parts: known === null ? [...openingOf(transcript), ...parts] : parts,
    idempotencyKey: input.idempotencyKey,
  };
  const { taskId, contextId, batches } = input.stream
    ? await streamFromAgent(callerCtx, agent, message)
    : toSingleBatch(
        await callAgent(callerCtx, agent, { ...message, until: { waitMs: MAX_WAIT_MS, signal: ctx.signal } }),
      );
  const answer = new AnswerReader(taskId);
  async function* read(): AsyncGenerator<AnswerDelta[]> {
    for await (const batch of batches) {
      const deltas = batch.flatMap((item) => answer.read(item));
      if (deltas.length > 0) yield deltas;
    }
    if (answer.failure) throw answer.failure;
    if (!endsTurn(answer.state)) yield [answer.append(`The agent has not finished the task ${taskId}.`)];
    const { hasData } = answer;
    const links = await linksAfterTurn(user, { taskId, hasData, isContinued: openTask !== undefined });
    if (links !== '') yield [answer.append(links)];
    const hash = transcriptHash([...input.messages, { role: 'assistant', content: answer.content }]);
    await saveTranscript({ ...key, hash, contextId, createdAt: new Date() });
  }
  return { taskId, contextId, model: agent.slug, createdAt: ctx.now, answer, deltas: read() };
}

function toSingleBatch({ items, ...turn }: TaskTurn): Omit<TaskTurn, 'items'> & { batches: StreamItem[][] } {
  return { ...turn, batches: [items] };
}

/** The task of a context that waits for an answer of the caller. */
async function findOpenTask(ctx: Ctx, agent: AgentRecord, contextId: string): Promise<string | undefined> {
  const tasks = await listContextTasks({ ctx, input: { agent, contextId } });
  const last = tasks.at(-1);
  return last && isInterrupted(last.state) ? last.id : undefined;
}
