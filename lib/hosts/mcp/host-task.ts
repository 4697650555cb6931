import type { AgentRecord } from '../../catalog';
import type { Ctx, UserActor } from '../../platform/context';
import { env } from '../../platform/runtime/env';
import type { HostScope } from '../../platform/scopes';
import type { TaskState } from '../../protocol/a2a/core/model';
import { appResource } from '../../protocol/mcp-apps/read-app';
import { cancelTask, taskNotFound } from '../../tasks';
import { authorizeCallsByUrl } from '../../tokens';
import { findOrderUrls, findUserTask, orderLinks, type UserTask } from '../answers/answer-links';
import { AnswerReader } from '../answers/read-answer';
import type { TaskOutput } from '../schema-tools';
import { boundedText, markUntrusted, type Question, questionOf } from './question';
import { agentToolName, marketToolNames, type ToolResult } from './tool';

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
  /** The only agent that the URL serves; null if it serves all agents. */
  agent: AgentRecord | null;
  /** The scope that the call requires. */
  scope: HostScope;
}

type FoundTask = UserTask & { user: UserActor };

/**
 * Returns the user's task, and the context for calls on it.
 * @throws {ParleyError} `insufficient_scope`; `task_not_found`, also for another user's task and for tasks of agents
 *   that the URL does not serve
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
    result: {
      ...toTaskResult({
        ...{ taskId, contextId, agent: slug, state: status.state, text },
        links: orderLinks(orderUrls),
        server: target.agent?.slug,
      }),
      apps: answer.apps.map(appResource),
    },
  };
}

/**
 * Returns the current state of the user's task.
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

interface TaskAnswer {
  taskId: string;
  contextId: string;
  agent: string;
  state: TaskState;
  /** The agent's answer as Markdown. */
  text: string;
  /** Our own links, as Markdown. */
  links: string;
  /** The slug of the only agent that the called URL serves; undefined if it serves all agents. */
  server: string | undefined;
}

/** Returns the instruction for the next step of the model. */
function adviceOn({ state, agent, server }: TaskAnswer): string {
  const { poll, send } = marketToolNames;
  switch (state) {
    case 'submitted':
    case 'working':
      return `The agent has not finished. Call ${server ? agentToolName(server, poll) : poll} with this task_id later.`;
    case 'input-required':
      return `The agent asks the person. Call ${server ? 'the tool of the skill' : send} with their answer and this task_id.`;
    case 'auth-required':
      return `The agent needs a sign-in. Ask the person to open ${env().APP_URL}/agents/${agent}.`;
    default:
      return '';
  }
}

/** Returns a task as the result of a tool. A task that failed is an error of the tool, not of the call. */
export function toTaskResult(answer: TaskAnswer): ToolResult<TaskOutput> {
  const { taskId, contextId, agent, state, text, links } = answer;
  const lines = [
    `State: ${state}. task_id: ${taskId}. context_id: ${contextId}.`,
    adviceOn(answer),
    text === '' ? '' : markUntrusted(agent, text),
    links === '' ? '' : `Only the person can approve a payment, on this page: ${links}`,
  ];
  return {
    text: lines.filter((line) => line !== '').join('\n\n'),
    structured: { task_id: taskId, context_id: contextId, agent, state, text: boundedText(text) },
    isError: state === 'failed' || state === 'rejected',
  };
}
