import type { AgentRecord } from '../../catalog';
import type { TaskRecord } from '../store/records';

/**
 * The id under which an agent of A2A 0.1, where the client names tasks, gets a new task: the task's own. Society's agents
 * know a conversation by that id alone, so they get the context's (seed-systems §5.2 rows 13, 14).
 */
export function newUpstreamTaskId(
  agent: Pick<AgentRecord, 'endpoints' | 'card'>,
  { id, ownContextId }: Pick<TaskRecord, 'id' | 'ownContextId'>,
): string {
  return looksLikeSociety(agent) ? ownContextId : id;
}

/** A card that names no version, no authentication and no streaming is one of Society's, as far as cards can tell. */
function looksLikeSociety({ endpoints, card }: Pick<AgentRecord, 'endpoints' | 'card'>): boolean {
  const [first, second] = endpoints;
  const isUndeclared = first.protocolVersion === '0.3' && second?.protocolVersion === '0.1' && first.url === second.url;
  return isUndeclared && !card.capabilities.streaming && Object.keys(card.securitySchemes).length === 0;
}

/** What the agent calls the task: its own id; in A2A 0.1, where the client names tasks, ours also before its first word. */
export function upstreamTaskIdOf(
  { endpoints }: Pick<AgentRecord, 'endpoints'>,
  { id, upstreamTaskId }: Pick<TaskRecord, 'id' | 'upstreamTaskId'>,
): string | null {
  return upstreamTaskId ?? (endpoints[0].protocolVersion === '0.1' ? id : null);
}
