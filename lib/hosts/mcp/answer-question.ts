import { randomUUID } from 'node:crypto';
import { sendMessage } from '../../gateway';
import { extensionsToActivate } from '../../protocol/extensions';
import type { TaskOutput } from '../schema-tools';
import { requireHostTask, type TaskTarget } from './host-task';
import { runTurn, type Waiting } from './run-turn';
import type { ToolResult } from './tool';

/** The person's answer to the question with this key. */
export interface QuestionAnswer {
  key: string;
  text: string;
}

/**
 * Sends an answer to the agent and waits for the end of the turn. However often it is sent, the agent gets it once.
 * @throws {ParleyError} `task_not_found`, and what the gateway's `streamMessage` throws
 */
export async function answerQuestion(
  target: TaskTarget,
  answer: QuestionAnswer,
  waiting: Waiting,
): Promise<ToolResult<TaskOutput>> {
  const { user, agent, task } = await requireHostTask(target);
  const parts = [{ kind: 'text' as const, text: answer.text }];
  const message = { parts, taskId: task.id, contextId: task.contextId, idempotencyKey: keyOf(task.id, answer) };
  return runTurn({ ctx: target.ctx, ...waiting }, { user, agent, message });
}

/**
 * Like {@link answerQuestion}, but returns when the turn has started.
 * @throws {ParleyError} `task_not_found`, and what the gateway's `sendMessage` throws
 */
export async function sendAnswer(target: TaskTarget, answer: QuestionAnswer): Promise<void> {
  const { agent, task, callerCtx } = await requireHostTask(target);
  const parts = [{ kind: 'text' as const, text: answer.text }];
  await sendMessage({
    ctx: callerCtx,
    input: {
      agent,
      request: {
        op: 'send',
        streaming: false,
        message: { messageId: randomUUID(), role: 'user', parts, contextId: task.contextId, taskId: task.id },
        configuration: { returnImmediately: true },
      },
      idempotencyKey: keyOf(task.id, answer),
      extensions: { requested: extensionsToActivate(agent.card), activated: [] },
    },
  });
}

function keyOf(taskId: string, { key }: QuestionAnswer): string {
  return `mcp-${taskId}-${key}`;
}
