import type { AgentRecord } from '../../catalog';
import type { UserActor } from '../../platform/context';
import { statusOf } from '../../protocol/a2a/core/events';
import { endsTurn, isTerminal, type Part, type Task, type TaskState } from '../../protocol/a2a/core/model';
import { appResource } from '../../protocol/mcp-apps/read-app';
import { cancelTask, subscribeTask, type TaskStream, type TaskTurn } from '../../tasks';
import { callerOf } from '../../tokens';
import { linksAfterTurn } from '../answers/answer-links';
import { AnswerReader } from '../answers/read-answer';
import { callAgent, type HostMessage, startTurnOfAgent, streamFromAgent } from '../answers/send-to-agent';
import { TOOL_WAIT_MS } from '../limits';
import type { TaskOutput } from '../schema-tools';
import { readHostTask, requireHostTask, type TaskTarget, toTaskResult } from './host-task';
import type { ToolCall, ToolResult } from './tool';

/** The maximum waiting time of a call, and the receiver of progress. */
type Waiting = Pick<ToolCall<unknown>, 'onProgress' | 'canceled' | 'waitMs'>;

/**
 * Sends a message to an agent and waits for the end of the turn. A canceled call also cancels the task, because the
 * client has not received the task's id and cannot cancel it itself.
 * @throws the errors of the gateway's `streamMessage`
 */
export async function runTurn(
  { ctx, agent: served, ...waiting }: Pick<ToolCall<unknown>, 'ctx' | 'agent'> & Waiting,
  { user, agent, message }: { user: UserActor; agent: AgentRecord; message: HostMessage },
): Promise<ToolResult<TaskOutput>> {
  const callerCtx = { ...ctx, actor: callerOf(user, agent) };
  const { onProgress, canceled, waitMs } = waiting;
  const { taskId, contextId, answer } = onProgress
    ? await readStream(await streamFromAgent(callerCtx, agent, message), waiting)
    : readTurn(await callAgent(callerCtx, agent, { ...message, until: { waitMs, signal: canceled } }));
  if (canceled.aborted && !endsTurn(answer.state)) {
    const signal = AbortSignal.timeout(TOOL_WAIT_MS);
    answer.readTask(await cancelTask({ ctx: { ...callerCtx, signal }, input: { agent, taskId } }));
  }
  const { state, hasData } = answer;
  const links = await linksAfterTurn(user, { taskId, hasData, isContinued: message.taskId !== undefined });
  const text = answer.failure?.message ?? answer.content;
  const result = toTaskResult({ taskId, contextId, agent: agent.slug, state, text, links, server: served?.slug });
  return { ...result, task: { taskId, state }, apps: answer.apps.map(appResource) };
}

/**
 * Waits until the user acts on a Parley page and the interrupted task continues, then until that turn ends, for at most
 * `waitMs`. Canceling the call does not cancel the task.
 * @throws {ParleyError} `task_not_found`
 */
export async function waitForTask(target: TaskTarget, waiting: Waiting): Promise<ToolResult<TaskOutput>> {
  const { agent, task, callerCtx } = await requireHostTask(target);
  if (!isTerminal(task.status.state)) {
    const input = { agent, taskId: task.id, finished: 'refuse', untilTerminal: true } as const;
    const stream = await subscribeTask({ ctx: callerCtx, input });
    await readStream({ ...stream, batches: untilNextTurnEnds(stream) }, waiting);
  }
  const { taskId, state, result } = await readHostTask(target);
  return { ...result, task: { taskId, state } };
}

/** Yields a stream up to the end of the turn that follows its initial state. */
async function* untilNextTurnEnds({ batches }: TaskStream): TaskStream['batches'] {
  let first: TaskState | null = null;
  let isContinued = false;
  for await (const batch of batches) {
    yield batch;
    for (const item of batch) {
      const state = 'event' in item ? statusOf(item.event)?.state : item.task.status.state;
      if (state === undefined) continue;
      first ??= state;
      isContinued ||= state !== first;
      if (isContinued && endsTurn(state)) return;
    }
  }
}

interface Reading {
  taskId: string;
  contextId: string;
  answer: AnswerReader;
}

function readTurn({ taskId, contextId, items }: TaskTurn): Reading {
  const answer = new AnswerReader(taskId);
  for (const item of items) answer.read(item);
  return { taskId, contextId, answer };
}

/** Reads a turn until its end, for `waitMs`, or until the call is canceled. The task continues. */
async function readStream(
  { taskId, contextId, batches }: TaskStream,
  { onProgress, canceled, waitMs }: Waiting,
): Promise<Reading> {
  const answer = new AnswerReader(taskId);
  const stopped = new Promise<null>((resolve) => {
    const stop = (): void => resolve(null);
    if (canceled.aborted) stop();
    canceled.addEventListener('abort', stop);
    AbortSignal.timeout(waitMs).addEventListener('abort', stop);
  });
  try {
    for (;;) {
      const next = await Promise.race([batches.next(), stopped]);
      if (next === null || next.done) return { taskId, contextId, answer };
      for (const item of next.value) {
        for (const { content, reasoning } of answer.read(item)) onProgress?.(reasoning ?? content ?? '');
      }
    }
  } finally {
    // Not awaited, because it ends only with the pending read.
    void batches.return(undefined);
  }
}

/** The user's answer to the question with this key. */
interface QuestionAnswer {
  key: string;
  part: Part;
}

/**
 * Sends an answer to the agent and waits for the end of the turn. The agent receives the answer only once, even if it
 * is sent repeatedly.
 * @throws {ParleyError} `task_not_found`, and the errors of the gateway's `streamMessage`
 */
export async function answerQuestion(
  target: TaskTarget,
  answer: QuestionAnswer,
  waiting: Waiting,
): Promise<ToolResult<TaskOutput>> {
  const { user, agent, task } = await requireHostTask(target);
  return runTurn(
    { ctx: target.ctx, agent: target.agent, ...waiting },
    { user, agent, message: toMessage(task, answer) },
  );
}

/**
 * Like {@link answerQuestion}, but returns when the turn has started.
 * @throws {ParleyError} `task_not_found`, and the errors of the gateway's `sendMessage`
 */
export async function sendAnswer(target: TaskTarget, answer: QuestionAnswer): Promise<void> {
  const { agent, task, callerCtx } = await requireHostTask(target);
  await startTurnOfAgent(callerCtx, agent, toMessage(task, answer));
}

function toMessage({ id: taskId, contextId }: Task, { key, part }: QuestionAnswer): HostMessage {
  return { parts: [part], taskId, contextId, idempotencyKey: `mcp-${taskId}-${key}` };
}
