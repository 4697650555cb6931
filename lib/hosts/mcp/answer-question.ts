import type { Task } from '../../protocol/a2a/core/model';
import { type HostMessage, startTurnOfAgent } from '../answers/send-to-agent';
import type { TaskOutput } from '../schema-tools';
import { requireHostTask, type TaskTarget } from './host-task';
import { runTurn, type Waiting } from './run-turn';
import type { ToolResult } from './tool';

/** The user's answer to the question with this key. */
export interface QuestionAnswer {
  key: string;
  text: string;
}

/**
 * Sends an answer to the agent and waits for the end of the turn. The agent receives the answer only once, even if it
 * is sent repeatedly.
 * @throws {ParleyError} `task_not_found`, and what the gateway's `streamMessage` throws
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
 * @throws {ParleyError} `task_not_found`, and what the gateway's `sendMessage` throws
 */
export async function sendAnswer(target: TaskTarget, answer: QuestionAnswer): Promise<void> {
  const { agent, task, callerCtx } = await requireHostTask(target);
  await startTurnOfAgent(callerCtx, agent, toMessage(task, answer));
}

function toMessage({ id: taskId, contextId }: Task, { key, text }: QuestionAnswer): HostMessage {
  return { parts: [{ kind: 'text', text }], taskId, contextId, idempotencyKey: `mcp-${taskId}-${key}` };
}
