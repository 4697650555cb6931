import { db } from '../../platform/db';
import { newId } from '../../platform/ids';
import { query } from '../../platform/sql';
import { encodeArray } from '../../platform/unnest';
import type { CallFailure, LoggedExchange } from '../schema';

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
  /** The `sub` of the token that the agent got; empty when that is not known. */
  caller: string;
  failure: CallFailure | null;
  /** What went over the wire: of calls that failed, and of those that the console made. */
  wire: LoggedExchange | null;
}

/** Calls that are kept of an agent, and as many that failed, so that a busy day does not push these out. */
const maxCallsPerAgent = 10_000;
const retentionDays = 7;

/** Writes calls in one statement. The wire of one that went well is kept when somebody of the agent's team made it. */
export async function insertAgentCalls(calls: AgentCall[]): Promise<void> {
  await query(
    'insert-agent-calls',
    `INSERT INTO agent_call (id, agent_id, at, ms, method, dialect, request_id, code, message, wire, caller)
     SELECT n.id, n.agent_id, n.at, n.ms, n.method, n.dialect, n.request_id, n.code, n.message,
       CASE WHEN n.code IS NOT NULL OR r.request_id IS NOT NULL THEN n.wire END, n.caller
     FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::int[], $5::text[], $6::text[], $7::text[],
       $8::text[], $9::text[], $10::json[], $11::text[])
       AS n(id, agent_id, at, ms, method, dialect, request_id, code, message, wire, caller)
     LEFT JOIN console_run r ON r.request_id = n.request_id AND r.agent_id = n.agent_id`,
    [
      calls.map(() => newId('call')),
      calls.map(({ agentId }) => agentId),
      calls.map(({ at }) => at.toISOString()),
      calls.map(({ ms }) => Math.round(ms)),
      calls.map(({ method }) => method),
      calls.map(({ dialect }) => dialect),
      calls.map(({ requestId }) => requestId),
      calls.map(({ failure }) => failure?.code ?? null),
      // PostgreSQL's text has no NUL, an agent's words may.
      calls.map(({ failure }) => failure?.message.replaceAll('\0', '\ufffd') ?? null),
      calls.map(({ wire }) => wire && JSON.stringify(wire)),
      calls.map(({ caller }) => caller),
    ].map(encodeArray),
  );
}

/** Drops calls that are older than a week, and what is too many of an agent. */
export async function pruneAgentCalls(now: Date): Promise<void> {
  await db().agentCall.deleteMany({ where: { at: { lt: new Date(now.getTime() - retentionDays * 86_400_000) } } });
  await query(
    'drop-surplus-agent-calls',
    `DELETE FROM agent_call WHERE id IN (
       SELECT id FROM (
         SELECT c.id, row_number() OVER (PARTITION BY c.agent_id, c.code IS NULL ORDER BY c.at DESC, c.id DESC) AS place
         FROM agent_call c
         WHERE c.agent_id IN (SELECT agent_id FROM agent_call GROUP BY agent_id HAVING count(*) > $1)
       ) AS ranked WHERE place > $1)`,
    [maxCallsPerAgent],
  );
}
