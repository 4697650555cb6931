import type { AgentRecord } from '../../catalog';
import { ParleyError } from '../../platform/errors';
import { isId } from '../../protocol/a2a/core/ids';
import type { Message } from '../../protocol/a2a/core/model';
import type { AgentItem } from '../../protocol/a2a/dialects';
import type { Owner } from '../store/find-tasks';
import type { TaskRecord } from '../store/records';
import { findReferencedTasks, findTasksByUpstreamId } from '../store/task-references';
import { upstreamTaskIdOf } from '../upstream/upstream-task-id';

/** Most task ids of one message that are translated. */
const maxReferences = 100;

/**
 * The caller's message with the agent's ids in `referenceTaskIds`. A task that the agent gave no id, because it answered with a
 * message alone, is left out: the agent knows no task there.
 * @throws {ParleyError} `invalid_params` naming the ids that are no task of the caller's at this agent
 */
export async function toAgentReferences(
  message: Message,
  { agent, owner }: { agent: AgentRecord; owner: Owner },
): Promise<Message> {
  const ids = message.referenceTaskIds ?? [];
  if (ids.length === 0) return message;
  if (ids.length > maxReferences) {
    const found = `message.referenceTaskIds: found ${ids.length} ids; expected at most ${maxReferences}.`;
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
  const text = `message.referenceTaskIds: you have no task ${listed}${more} with this agent. Use the ids of tasks as Parley answered them.`;
  return new ParleyError('invalid_params', text);
}

/** True when an item names tasks by the agent's ids, so that {@link toCallerReferences} has something to do. */
export function hasTaskReferences(item: AgentItem): boolean {
  return item.type !== 'artifact' && (item.message?.referenceTaskIds?.length ?? 0) > 0;
}

/** The agent's items with our ids in `referenceTaskIds`. Ids that stand for no task of this principal are left out. */
export async function toCallerReferences(items: AgentItem[], record: TaskRecord): Promise<AgentItem[]> {
  const agentIds = new Set(items.flatMap((item) => messageOf(item)?.referenceTaskIds?.slice(0, maxReferences) ?? []));
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
