import type { AgentRecord } from '../../catalog';
import type { Ctx, UserActor } from '../../platform/context';
import type { HostScope } from '../../platform/scopes';
import type { TaskState } from '../../protocol/a2a/core/model';
import { cancelTask, taskNotFound } from '../../tasks';
import { authorizeCallsByUrl } from '../../tokens';
import { findUserTask, type UserTask } from '../answers/find-user-task';
import { findOrderUrls, orderLinks } from '../answers/order-links';
import { AnswerReader } from '../answers/read-answer';
import type { TaskOutput } from '../schema-tools';
import { type Question, questionOf } from './question';
import { toTaskResult } from './task-result';
import type { ToolResult } from './tool';

/** A task in the view of a host. */
export interface HostTask {
  taskId: string;
  state: TaskState;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
  question: Question | null;
  /** The result of a tool that ends with the current task. */
  result: ToolResult<TaskOutput>;
}

/** A task of the user at the called URL. */
export interface TaskTarget {
  ctx: Ctx;
  taskId: string;
  /** The only agent that the URL serves. */
  agent: AgentRecord | null;
  /** The scope that the call requires. */
  scope: HostScope;
}

type FoundTask = UserTask & { user: UserActor };

/**
 * The user's task, and the context for calls on it.
 * @throws {ParleyError} `insufficient_scope`; `task_not_found`, also for another user's task, and one of an agent that the URL does not serve
 */
export async function requireHostTask({ ctx, taskId, agent, scope }: TaskTarget): Promise<FoundTask> {
  const user = await authorizeCallsByUrl({ ctx, hostScope: scope });
  const found = await findUserTask(ctx, user, taskId);
  if (!found || (agent !== null && found.agent.id !== agent.id)) throw taskNotFound(taskId.slice(0, 100));
  return { ...found, user };
}

/** Describes the current state of a task. */
async function toHostTask(target: TaskTarget, { user, agent, task }: FoundTask): Promise<HostTask> {
  const { id: taskId, contextId, status } = task;
  const { slug } = agent;
  const answer = new AnswerReader(taskId);
  answer.readTask(task);
  const orderUrls = await findOrderUrls(user, taskId);
  const text = answer.failure?.message ?? (answer.content || answer.reasoning);
  return {
    taskId,
    state: status.state,
    createdAt: task.createdAt ?? status.timestamp,
    updatedAt: status.timestamp,
    question: questionOf(task, { slug, orderUrls }),
    result: toTaskResult({
      ...{ taskId, contextId, agent: slug, state: status.state, text },
      links: orderLinks(orderUrls),
      server: target.agent?.slug,
    }),
  };
}

/**
 * The current state of the user's task.
 * @throws {ParleyError} `task_not_found`
 */
export async function readHostTask(target: TaskTarget): Promise<HostTask> {
  return toHostTask(target, await requireHostTask(target));
}

/**
 * Cancels the user's task.
 * @throws {ParleyError} `task_not_found`, `task_not_cancelable`
 */
export async function cancelHostTask(target: TaskTarget): Promise<HostTask> {
  const found = await requireHostTask(target);
  const { agent, task, callerCtx } = found;
  return toHostTask(target, {
    ...found,
    task: await cancelTask({ ctx: callerCtx, input: { agent, taskId: task.id } }),
  });
}
