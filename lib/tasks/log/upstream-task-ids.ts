import type { AgentRecord } from '../../catalog';
import { ParleyError } from '../../platform/errors';
import { isId, type Message } from '../../protocol/a2a/core/model';
import type { AgentItem } from '../../protocol/a2a/dialects';
import { MAX_REFERENCED_TASKS } from '../limits';
import { findReferencedTasks, findTasksByUpstreamId, type Owner } from '../store/find-tasks';
import type { TaskRecord } from '../store/records';

/**
 * Returns the id that a new task has at an A2A 0.1 agent, where the client chooses it: the id of our task. Society
 * agents identify a conversation only by that id, so they receive the id of the context.
 */
export function newUpstreamTaskId(
  agent: Pick<AgentRecord, 'endpoints' | 'card'>,
  { id, ownContextId }: Pick<TaskRecord, 'id' | 'ownContextId'>,
): string {
  return looksLikeSociety(agent) ? ownContextId : id;
}

/** Returns true for a card without version, authentication and streaming, which counts as a card of Society. */
function looksLikeSociety({ endpoints, card }: Pick<AgentRecord, 'endpoints' | 'card'>): boolean {
  const [first, second] = endpoints;
  const isUndeclared = first.protocolVersion === '0.3' && second?.protocolVersion === '0.1' && first.url === second.url;
  return isUndeclared && !card.capabilities.streaming && Object.keys(card.securitySchemes).length === 0;
}

/**
 * Returns the agent's id of the task. Where the client chooses it (A2A 0.1, and MCP servers, which have no tasks), returns
 * ours until the agent responds.
 */
export function upstreamTaskIdOf(
  { endpoints }: Pick<AgentRecord, 'endpoints'>,
  { id, upstreamTaskId }: Pick<TaskRecord, 'id' | 'upstreamTaskId'>,
): string | null {
  const [{ protocolVersion, binding }] = endpoints;
  return upstreamTaskId ?? (protocolVersion === '0.1' || binding === 'MCP' ? id : null);
}

/**
 * Replaces the ids in `referenceTaskIds` of the caller's message with the agent's. Omits a task that has no id at the
 * agent, because it responded only with a message.
 * @throws {ParleyError} `invalid_params` with the ids that are not tasks of the caller at this agent
 */
export async function toAgentReferences(
  message: Message,
  { agent, owner }: { agent: AgentRecord; owner: Owner },
): Promise<Message> {
  const ids = message.referenceTaskIds ?? [];
  if (ids.length === 0) return message;
  if (ids.length > MAX_REFERENCED_TASKS) {
    const found = `message.referenceTaskIds: found ${ids.length} IDs; expected at most ${MAX_REFERENCED_TASKS}.`;
    throw new ParleyError('invalid_params', found);
  }
  const tasks = await findReferencedTasks(owner, ids);
  const known = new Map(tasks.map((task) => [task.id, upstreamTaskIdOf(agent, task)]));
  const unknown = ids.filter((id) => !known.has(id.toLowerCase()));
  if (unknown.length > 0) throw unknownReferences(unknown);
  const theirs = ids.map((id) => known.get(id.toLowerCase()) ?? null).filter((id) => id !== null);
  return { ...message, referenceTaskIds: theirs.length > 0 ? theirs : undefined };
}

function unknownReferences(ids: string[]): ParleyError {
  const listed = ids
    .slice(0, 5)
    .map((id) => JSON.stringify(id))
    .join(', ');
  const more = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
  const text = `message.referenceTaskIds: you have no task ${listed}${more} with this agent. Use the task IDs that Parley returned.`;
  return new ParleyError('invalid_params', text);
}

/** Returns true if an item references tasks by the agent's ids and therefore requires {@link toCallerReferences}. */
export function hasTaskReferences(item: AgentItem): boolean {
  return item.type !== 'artifact' && (item.message?.referenceTaskIds?.length ?? 0) > 0;
}

/**
 * Replaces the agent's ids in `referenceTaskIds` of the agent's items with ours. Omits ids that do not belong to a task
 * of this owner.
 */
export async function toCallerReferences(items: AgentItem[], record: TaskRecord): Promise<AgentItem[]> {
  const agentIds = new Set(
    items.flatMap((item) => messageOf(item)?.referenceTaskIds?.slice(0, MAX_REFERENCED_TASKS) ?? []),
  );
  const ours = await callerIdsOf([...agentIds].filter(isId), record);
  return items.map((item): AgentItem => {
    const message = messageOf(item);
    if (!message?.referenceTaskIds) return item;
    const referenceTaskIds = message.referenceTaskIds.map((id) => ours.get(id)).filter((id) => id !== undefined);
    return { ...item, message: { ...message, referenceTaskIds } } as AgentItem;
  });
}

async function callerIdsOf(
  upstreamIds: string[],
  { principal, agentId, delegation }: TaskRecord,
): Promise<Map<string, string>> {
  const owner: Owner = { principal, agentId, delegation };
  const tasks = await findTasksByUpstreamId(owner, upstreamIds);
  return new Map(tasks.map(({ id, upstreamTaskId }) => [upstreamTaskId ?? '', id]));
}

function messageOf(item: AgentItem): Message | null {
  return item.type === 'artifact' ? null : item.message;
}
