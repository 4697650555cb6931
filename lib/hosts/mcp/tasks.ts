import { cancelTask, taskNotFound } from '../../gateway';
import type { Ctx } from '../../platform/context';
import type { Task } from '../../protocol/a2a/core/model';
import { authorizeCallsByUrl } from '../../tokens';
import { findUserTask, type UserTask } from '../answers/find-user-task';
import { orderLinks } from '../answers/order-links';
import { AnswerReader } from '../answers/read-answer';
import { taskInput, taskOutput } from '../schema-tools';
import { toTaskResult } from './task-result';
import { tool } from './tool';

export const getTaskTool = tool({
  name: 'get_task',
  title: 'Get a task',
  description: 'Shows the state of a task and the answer of the agent.',
  input: taskInput,
  output: taskOutput,
  annotations: { readOnlyHint: true },
  run: ({ ctx, input }) => describeTask(ctx, input.task_id, async ({ task }) => task),
});

export const cancelTaskTool = tool({
  name: 'cancel_task',
  title: 'Cancel a task',
  description: 'Asks the agent to stop working on a task.',
  input: taskInput,
  output: taskOutput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  run: ({ ctx, input }) =>
    describeTask(ctx, input.task_id, ({ agent, callerCtx, task }) =>
      cancelTask({ ctx: callerCtx, input: { agent, taskId: task.id } }),
    ),
});

async function describeTask(
  ctx: Ctx,
  taskId: string,
  change: (found: UserTask) => Promise<Task>,
): Promise<ReturnType<typeof toTaskResult>> {
  const user = await authorizeCallsByUrl({ ctx });
  const found = await findUserTask(ctx, user, taskId);
  if (!found) throw taskNotFound(taskId);
  const task = await change(found);
  const answer = new AnswerReader(taskId);
  answer.readTask(task);
  return toTaskResult({
    taskId,
    contextId: task.contextId,
    agent: found.agent.slug,
    state: task.status.state,
    text: answer.failure?.message ?? (answer.content || answer.reasoning),
    links: await orderLinks(user, taskId),
  });
}
