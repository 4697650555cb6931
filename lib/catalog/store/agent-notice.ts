import { noticeOf, publishHere } from '../../platform/bus';
import type { Db } from '../../platform/db';
import type { AgentRecord } from '../record';

type Named = Pick<AgentRecord, 'id' | 'slug'>;

/** Tells all other nodes of a change of an agent; within its transaction, so that they hear of it exactly when it holds. */
export async function noticeAgent(tx: Db, agent: Named): Promise<void> {
  const [bySlug, byId] = [noticeOf('agent', agent.slug), noticeOf('agent', agent.id)];
  await tx.$queryRaw`SELECT pg_notify('parley', ${bySlug})::text, pg_notify('parley', ${byId})::text`;
}

/** Tells this node of it, once it holds. */
export function heardHere(agent: Named): void {
  publishHere('agent', agent.slug);
  publishHere('agent', agent.id);
}
