import { notifyPayload, publishLocally } from '../../platform/bus';
import type { Db } from '../../platform/db';
import type { AgentRecord } from '../record';

type AgentRef = Pick<AgentRecord, 'id' | 'slug'>;

/** Tells all other nodes of a change of an agent; within its transaction, so that they hear of it exactly when it holds. */
export async function notifyAgentChanged(tx: Db, agent: AgentRef): Promise<void> {
  const [bySlug, byId] = [notifyPayload('agent', agent.slug), notifyPayload('agent', agent.id)];
  await tx.$queryRaw`SELECT pg_notify('parley', ${bySlug})::text, pg_notify('parley', ${byId})::text`;
}

/** Tells this node of it, once it holds. */
export function publishAgentChanged(agent: AgentRef): void {
  publishLocally('agent', agent.slug);
  publishLocally('agent', agent.id);
}
