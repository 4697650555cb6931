import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { float8, int4, int8, json, type RowOf, row, text } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import { selectDue } from '../../platform/runtime/activity';
import type { CoreCard } from '../../protocol/a2a/core/card';

/** Marks the vectors of an agent as due, for every model. Call it in the transaction that changes the agent. */
export async function markVectorsDue(tx: Db, agentId: string, now: Date): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO embedding_due (model, agent_id, due_at, changed_at)
      SELECT id, ${agentId}, ${now}, clock_timestamp() FROM embedding_model
      ON CONFLICT (model, agent_id) DO UPDATE SET due_at = excluded.due_at, changed_at = excluded.changed_at`,
  );
}

/** Deletes the vectors of an agent that is not public anymore. */
export async function deleteVectors(tx: Db, agentId: string): Promise<void> {
  await executeIn(tx, Prisma.sql`DELETE FROM embedding_due WHERE agent_id = ${agentId}`);
  await executeIn(tx, Prisma.sql`DELETE FROM agent_embedding WHERE agent_id = ${agentId}`);
}

const dueRow = row({
  model: int4(),
  agentId: text(),
  /** Microseconds, as text. */
  changedAt: text(),
  card: json<CoreCard>(),
});

/** An agent whose vectors of one model are due, leased to this node. */
export type DueAgent = RowOf<typeof dueRow>;

/** Leases up to `limit` agents, those changed last first. */
export function claimDue(
  models: number[],
  { now, leaseUntil, limit }: { now: Date; leaseUntil: Date; limit: number },
): Promise<DueAgent[]> {
  return dueRow.query(
    'claim-embedding-due',
    `WITH due AS (
       SELECT model, agent_id FROM embedding_due WHERE model = ANY($1::smallint[]) AND due_at <= $2
       ORDER BY changed_at DESC LIMIT $4 FOR UPDATE SKIP LOCKED
     ), claimed AS (
       UPDATE embedding_due d SET due_at = $3 FROM due WHERE (d.model, d.agent_id) = (due.model, due.agent_id)
       RETURNING d.model, d.agent_id, d.changed_at
     )
     SELECT c.model::int, c.agent_id AS "agentId", c.changed_at::text AS "changedAt", v.card
     FROM claimed c JOIN agent a ON a.id = c.agent_id JOIN agent_version v ON v.id = a.current_version_id`,
    [models, now, leaseUntil, limit],
  );
}

/** The time at which the first vector of these models is due or its lease expires; null if there is none. */
export function selectNextVectors(models: number[]): Promise<Date | null> {
  const statement = 'SELECT min(due_at) AS due FROM embedding_due WHERE model = ANY($1::smallint[])';
  return selectDue('next-embedding-due', statement, [models]);
}

/** Makes leased agents due again `at`. */
export async function releaseDue({ model, agentId, changedAt }: DueAgent, at: Date): Promise<void> {
  await execute(
    'release-embedding-due',
    'UPDATE embedding_due SET due_at = $4 WHERE model = $1 AND agent_id = $2 AND changed_at = $3::timestamptz',
    [model, agentId, changedAt, at],
  );
}

const backlogRow = row({ due: int8(), seconds: float8() });

/** The number of due vectors of these models, up to 100,000, and the age of the oldest in seconds. */
export async function measureDue(models: number[], now: Date): Promise<RowOf<typeof backlogRow>> {
  const found = await backlogRow.queryFirst(
    'measure-embedding-due',
    `SELECT count(*) AS due, greatest(0, max(extract(epoch FROM $2 - d.changed_at)))::float8 AS seconds
     FROM unnest($1::smallint[]) AS m(id), LATERAL (
       SELECT changed_at FROM embedding_due WHERE model = m.id ORDER BY changed_at LIMIT 100000) d`,
    [models, now],
  );
  return found ?? { due: 0, seconds: 0 };
}
