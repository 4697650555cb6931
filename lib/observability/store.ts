import { db } from '../platform/db';

export interface CallErrorRow {
  id: string;
  agentId: string;
  code: string;
  message: string;
  requestId: string;
}

const keptPerAgent = 50;

/** Inserts one error and drops the agent's oldest beyond 50. */
export async function insertCallError(row: CallErrorRow): Promise<void> {
  await db().callError.create({ data: row });
  const old = await db().callError.findMany({
    where: { agentId: row.agentId },
    orderBy: { at: 'desc' },
    skip: keptPerAgent,
    select: { id: true },
  });
  if (old.length > 0) await db().callError.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
}

/** The latest errors of an agent, newest first. */
export async function listCallErrors(agentId: string, limit: number): Promise<(CallErrorRow & { at: Date })[]> {
  return db().callError.findMany({ where: { agentId }, orderBy: { at: 'desc' }, take: limit });
}
