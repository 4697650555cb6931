import { db } from '../../platform/db';
import { newId } from '../../platform/ids';
import { query } from '../../platform/sql';
import type { CallFailure, Wire } from '../schema';

/** A call of an agent. */
export interface AgentCall {
  agentId: string;
  at: Date;
  /** Milliseconds until its answer was over. */
  ms: number;
  /** Method of the wire; empty when the agent was not called. */
  method: string;
  /** Version and binding that the agent was called in. */
  dialect: string;
  requestId: string;
  failure: CallFailure | null;
}

/** Calls that are kept of an agent, and as many that failed, so that a busy day does not push these out. */
const keptPerAgent = 100;
const keptDays = 7;

/** Writes calls in one statement and drops what is too many of the agents that were called. */
export async function insertAgentCalls(calls: AgentCall[]): Promise<void> {
  await query(
    'insert-agent-calls',
    `INSERT INTO agent_call (id, agent_id, at, ms, method, dialect, request_id, code, message, wire)
     SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::int[], $5::text[], $6::text[], $7::text[],
       $8::text[], $9::text[], $10::json[])`,
    [
      calls.map(() => newId('call')),
      calls.map(({ agentId }) => agentId),
      calls.map(({ at }) => at),
      calls.map(({ ms }) => Math.round(ms)),
      calls.map(({ method }) => method),
      calls.map(({ dialect }) => dialect),
      calls.map(({ requestId }) => requestId),
      calls.map(({ failure }) => failure?.code ?? null),
      // PostgreSQL's text has no NUL, an agent's words may.
      calls.map(({ failure }) => failure?.message.replaceAll('\0', '\ufffd') ?? null),
      calls.map(({ failure }) => (failure?.wire ? JSON.stringify(failure.wire) : null)),
    ],
  );
  await query(
    'drop-surplus-agent-calls',
    `DELETE FROM agent_call WHERE id IN (
       SELECT id FROM (
         SELECT id, row_number() OVER (PARTITION BY agent_id, code IS NULL ORDER BY at DESC, id DESC) AS place
         FROM agent_call WHERE agent_id = ANY($1)
       ) AS ranked WHERE place > $2)`,
    [[...new Set(calls.map(({ agentId }) => agentId))], keptPerAgent],
  );
}

/** Drops calls that are older than a week. */
export async function dropOldAgentCalls(now: Date): Promise<void> {
  await db().agentCall.deleteMany({ where: { at: { lt: new Date(now.getTime() - keptDays * 86_400_000) } } });
}

/** The latest calls of an agent, newest first; with `failed` those that failed alone. */
export async function listAgentCalls(
  agentId: string,
  { failed, limit }: { failed: boolean; limit: number },
): Promise<(AgentCall & { id: string })[]> {
  const rows = await db().agentCall.findMany({
    where: { agentId, ...(failed && { code: { not: null } }) },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  return rows.map(({ code, message, wire, ...call }) => ({
    ...call,
    failure: code === null ? null : { code, message: message ?? '', wire: wire as Wire | null },
  }));
}
