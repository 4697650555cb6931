import { query } from '../../platform/sql';
import type { PushDialect } from '../../protocol/a2a/core/push';

/** A configuration as it is kept; `secrets` is sealed. */
export interface PushRecord {
  taskId: string;
  id: string;
  principal: string;
  agentId: string;
  /** Which delegation created it; null for the principal's own credentials. */
  delegation: string | null;
  dialect: PushDialect;
  url: string;
  secrets: string;
  sentSeq: number;
  /** True when there is nothing to come. */
  ended: boolean;
  createdAt: Date;
}

/** Whose configurations of which task a query may see; part of every `where`. */
export interface PushOwner {
  principal: string;
  /** See `Owner`: a delegation reaches what it created, also on tasks that others reach. */
  delegation: string | null;
  taskId: string;
}

const columns = `c.task_id AS "taskId", c.id, c.principal, c.agent_id AS "agentId", c.delegation, c.dialect, c.url, c.secrets,
  c.sent_seq AS "sentSeq", c.ended, c.created_at AS "createdAt"`;

/**
 * Adds a configuration, or replaces the one of that name, whoever is delivering to it. Answers false when the task has
 * `max` others, and when that name is one that this delegation does not reach.
 */
export async function savePushConfig(config: PushRecord, max: number): Promise<boolean> {
  const rows = await query(
    'save-push-config',
    `INSERT INTO push_config (task_id, id, principal, agent_id, dialect, url, secrets, sent_seq, ended, due_at, created_at, delegation)
     SELECT $1::uuid, $2::text, $3, $4, $5, $6, $7, $8::int, $9::boolean, $10::timestamptz, $10::timestamptz, $12
     WHERE (SELECT count(*) FROM push_config WHERE task_id = $1::uuid AND id <> $2::text) < $11::int
     ON CONFLICT (task_id, id) DO UPDATE SET dialect = excluded.dialect, url = excluded.url, secrets = excluded.secrets,
       sent_seq = excluded.sent_seq, due_at = excluded.due_at, attempts = 0, failing_since = NULL, lease = NULL,
       leased_until = NULL, given_up = 0, ended = excluded.ended, delegation = excluded.delegation
     WHERE push_config.principal = excluded.principal
       AND (excluded.delegation IS NULL OR push_config.delegation = excluded.delegation)
     RETURNING id`,
    [
      config.taskId,
      config.id,
      config.principal,
      config.agentId,
      config.dialect,
      config.url,
      config.secrets,
      config.sentSeq,
      config.ended,
      config.createdAt,
      max,
      config.delegation,
    ],
  );
  return rows.length > 0;
}

const reached = '($4::text IS NULL OR c.delegation = $4)';

export async function findPushConfig(
  { principal, taskId, delegation }: PushOwner,
  id: string,
): Promise<PushRecord | null> {
  const rows = await query<PushRecord>(
    'find-push-config',
    `SELECT ${columns} FROM push_config c WHERE c.principal = $1 AND c.task_id = $2 AND c.id = $3 AND ${reached}`,
    [principal, taskId, id, delegation],
  );
  return rows[0] ?? null;
}

/** The task's configurations by name, those behind `after`. */
export async function findPushConfigs(
  { principal, taskId, delegation }: PushOwner,
  { after, limit }: { after: string; limit: number },
): Promise<PushRecord[]> {
  return query<PushRecord>(
    'find-push-configs',
    `SELECT ${columns} FROM push_config c WHERE c.principal = $1 AND c.task_id = $2 AND c.id COLLATE "C" > $3 AND ${reached}
     ORDER BY c.id COLLATE "C" LIMIT $5`,
    [principal, taskId, after, delegation, limit],
  );
}

export async function deletePushConfig({ principal, taskId, delegation }: PushOwner, id: string): Promise<void> {
  await query(
    'delete-push-config',
    `DELETE FROM push_config c WHERE c.principal = $1 AND c.task_id = $2 AND c.id = $3 AND ${reached}`,
    [principal, taskId, id, delegation],
  );
}
