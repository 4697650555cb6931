import type { AgentRecord } from '../../catalog';
import { cancelTask, taskNotFound } from '../../gateway';
import type { Ctx, UserActor } from '../../platform/context';
import type { HostScope } from '../../platform/scopes';
import type { Task, TaskState } from '../../protocol/a2a/core/model';
import { authorizeCallsByUrl } from '../../tokens';
import { findUserTask, type UserTask } from '../answers/find-user-task';
import { findOrderUrls, orderLinks } from '../answers/order-links';
import { AnswerReader } from '../answers/read-answer';
import type { TaskOutput } from '../schema-tools';
import { type Question, questionOf } from './question';
import { toTaskResult } from './task-result';
import type { ToolResult } from './tool';

/** A task as a host sees it. */
export interface HostTask {
  taskId: string;
  state: TaskState;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
  question: Question | null;
  /** The result of a tool that ends with the task as it is now. */
  result: ToolResult<TaskOutput>;
}

/** A task of the user at the called URL. */
export interface TaskTarget {
  ctx: Ctx;
  taskId: string;
  /** The only agent that the URL serves. */
  agent: AgentRecord | null;
  /** What the call needs. */
  scope: HostScope;
}

/**
 * The user's task, and the context for calls on it.
 * @throws {ParleyError} `insufficient_scope`; `task_not_found`, also for another user's task, and one of an agent that the URL does not serve
 */
export async function requireHostTask({
  ctx,
  taskId,
  agent,
  scope,
}: TaskTarget): Promise<UserTask & { user: UserActor }> {
  const user = await authorizeCallsByUrl({ ctx, hostScope: scope });
  const found = await findUserTask(ctx, user, taskId);
  if (!found || (agent !== null && found.agent.id !== agent.id)) throw taskNotFound(taskId.slice(0, 100));
  return { ...found, user };
}

/** Describes a task as it is now. */
async function toHostTask(user: UserActor, agent: AgentRecord, task: Task): Promise<HostTask> {
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
    result: toTaskResult({ taskId, contextId, agent: slug, state: status.state, text, links: orderLinks(orderUrls) }),
  };
}

/**
 * The user's task as it is now.
 * @throws {ParleyError} `task_not_found`
 */
export async function readHostTask(target: TaskTarget): Promise<HostTask> {
  const { user, agent, task } = await requireHostTask(target);
  return toHostTask(user, agent, task);
}

/**
 * Cancels the user's task.
 * @throws {ParleyError} `task_not_found`, `task_not_cancelable`
 */
export async function cancelHostTask(target: TaskTarget): Promise<HostTask> {
  const { user, agent, task, callerCtx } = await requireHostTask(target);
  return toHostTask(user, agent, await cancelTask({ ctx: callerCtx, input: { agent, taskId: task.id } }));
}
