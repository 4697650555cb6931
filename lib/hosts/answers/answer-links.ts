import { type AgentRecord, findAgentById } from '../../catalog';
import { authorize } from '../../identity';
import { findOrdersOfTasks } from '../../payments';
import type { Call, CallerActor, Ctx, UserActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { isUuid } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import type { Part, Task } from '../../protocol/a2a/core/model';
import { findAgentOfTask, getTask } from '../../tasks';
import { callerOf } from '../../tokens';

/** A file of an answer. */
interface AnswerFile {
  bytes: Buffer;
  name: string;
  mediaType: string;
}

/**
 * Returns the file to which an answer links, by the id in its URL: the task, the index of the part, and the artifact or
 * message.
 * @throws {ParleyError} `not_found`, also for the file of another user
 */
export async function getAnswerFile({ ctx, input }: Call<{ id: string }>): Promise<AnswerFile> {
  const user = authorize(ctx.actor, { hostScope: 'tasks:read' });
  const [, taskId = '', index = '', source = ''] = /^([\da-f-]{36})\.(\d{1,6})\.(.+)$/s.exec(input.id) ?? [];
  const found = await findUserTask(ctx, user, taskId);
  if (!found) throw fileNotFound();
  const { task } = found;
  const sources: { id: string; parts: Part[] }[] = [
    ...task.artifacts.map(({ artifactId, parts }) => ({ id: artifactId, parts })),
    ...task.history.map(({ messageId, parts }) => ({ id: messageId, parts })),
  ];
  const part = sources.find(({ id }) => id === source)?.parts[Number(index)];
  if (part?.kind !== 'bytes') throw fileNotFound();
  return {
    bytes: Buffer.from(part.bytes, 'base64'),
    name: part.filename ?? 'file',
    mediaType: part.mediaType ?? 'application/octet-stream',
  };
}

function fileNotFound(): ParleyError {
  return new ParleyError('not_found', 'File not found. It may belong to another user.');
}

/** A task, its agent, and the context for calls on it. */
export interface UserTask {
  task: Task;
  agent: AgentRecord;
  callerCtx: Ctx & { actor: CallerActor };
}

/** Finds a task of the user; null for an unknown task and for another user's. */
export async function findUserTask(ctx: Ctx, user: UserActor, taskId: string): Promise<UserTask | null> {
  const agentId = isUuid(taskId) ? await findAgentOfTask({ userId: user.userId, taskId }) : null;
  const agent = agentId === null ? null : await findAgentById(agentId);
  if (!agent) return null;
  const callerCtx = { ...ctx, actor: callerOf(user, agent) };
  return { task: await getTask({ ctx: callerCtx, input: { agent, taskId } }), agent, callerCtx };
}

/** Returns the pages of a task's open offers. Only Parley's own pages can approve a payment. */
export async function findOrderUrls({ userId }: UserActor, taskId: string): Promise<string[]> {
  const orders = await findOrdersOfTasks(userId, [taskId]);
  return orders.filter(({ isOpen }) => isOpen).map(({ orderId }) => `${env().APP_URL}/orders/${orderId}`);
}

/**
 * Returns links to the offers of a task after a turn. Only data parts, in this turn or an earlier one, create an offer.
 */
export async function linksAfterTurn(
  user: UserActor,
  { taskId, hasData, isContinued }: { taskId: string; hasData: boolean; isContinued: boolean },
): Promise<string> {
  return hasData || isContinued ? orderLinks(await findOrderUrls(user, taskId)) : '';
}

/** Returns links to these pages as Markdown. */
export function orderLinks(urls: string[]): string {
  return urls.map((url) => `[Review this offer on Parley](${url})`).join('\n\n');
}
