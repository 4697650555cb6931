import { bool, int4, nullable, type RowOf, row, text, timestamptz, uuid } from '../../../platform/db/rows';
import { inEachTaskDatabase, ofOwner } from '../../../platform/db/task-databases/task-statements';
import { seal, unseal } from '../../../platform/secrets/crypto';
import type { PushDialect, PushTarget } from '../../../protocol/a2a/core/model';

const receiverRow = row({
  taskId: uuid(),
  id: text(),
  principal: text(),
  agentId: text(),
  /** The delegation that created it; null for the principal's own credentials. */
  delegation: nullable(text()),
  /**
   * The credential that created the configuration, and whose revocation deletes it. For a configuration that was stored
   * without a credential, the principal.
   */
  credentialId: text(),
  dialect: text<PushDialect>(),
  url: text(),
  sentSeq: int4(),
  /** True if no further push will follow. */
  ended: bool(),
  createdAt: timestamptz(),
});
const pushConfigRow = row({ ...receiverRow.columns, secrets: text() });

/** A stored configuration. `secrets` is encrypted. */
export type PushConfigRecord = RowOf<typeof pushConfigRow>;

/** The scope of a query, which is part of every `where`. */
export interface PushOwner {
  principal: string;
  /**
   * As in `Owner`. A delegation can access only configurations that it created, even on tasks that others can access.
   */
  delegation: string | null;
  taskId: string;
}

const columns = `c.task_id AS "taskId", c.id, c.principal, c.agent_id AS "agentId", c.delegation, coalesce(c.credential_id, c.principal) AS "credentialId", c.dialect, c.url, c.secrets,
  c.sent_seq AS "sentSeq", c.ended, c.created_at AS "createdAt"`;

/**
 * Inserts a configuration, or replaces the one with the same id and revokes its lease. Returns false if the task has
 * `max` others, or if this delegation cannot access the id.
 */
export async function upsertPushConfig(config: PushConfigRecord, max: number): Promise<boolean> {
  const count = await ofOwner(config.principal).execute(
    'save-push-config',
    `INSERT INTO push_config (task_id, id, principal, agent_id, dialect, url, secrets, sent_seq, ended, due_at, created_at, delegation,
       credential_id)
     SELECT $1::uuid, $2::text, $3, $4, $5, $6, $7, $8::int, $9::boolean, $10::timestamptz, $10::timestamptz, $12, $13
     WHERE (SELECT count(*) FROM push_config WHERE principal = $3 AND task_id = $1::uuid AND id <> $2::text) < $11::int
     ON CONFLICT ON CONSTRAINT push_config_pkey DO UPDATE SET dialect = excluded.dialect, url = excluded.url, secrets = excluded.secrets,
       sent_seq = excluded.sent_seq, due_at = excluded.due_at, attempts = 0, failing_since = NULL, lease = NULL,
       leased_until = NULL, consecutive_dead_letters = 0, ended = excluded.ended, delegation = excluded.delegation,
       credential_id = excluded.credential_id, created_at = excluded.created_at
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
      config.credentialId,
    ],
  );
  return count > 0;
}

const scopeSql = '($4::text IS NULL OR c.delegation = $4)';

export async function findPushConfig(
  { principal, taskId, delegation }: PushOwner,
  id: string,
): Promise<PushConfigRecord | null> {
  return pushConfigRow
    .of(principal)
    .queryFirst(
      'find-push-config',
      `SELECT ${columns} FROM push_config c WHERE c.principal = $1 AND c.task_id = $2 AND c.id = $3 AND ${scopeSql}`,
      [principal, taskId, id, delegation],
    );
}

/** Returns the task's configurations after the cursor `after`, by id. */
export async function findPushConfigs(
  { principal, taskId, delegation }: PushOwner,
  { after, limit }: { after: string; limit: number },
): Promise<PushConfigRecord[]> {
  return pushConfigRow.of(principal).query(
    'find-push-configs',
    `SELECT ${columns} FROM push_config c WHERE c.principal = $1 AND c.task_id = $2 AND c.id COLLATE "C" > $3 AND ${scopeSql}
     ORDER BY c.id COLLATE "C" LIMIT $5`,
    [principal, taskId, after, delegation, limit],
  );
}

export async function deletePushConfigRow({ principal, taskId, delegation }: PushOwner, id: string): Promise<void> {
  await ofOwner(principal).execute(
    'delete-push-config',
    `DELETE FROM push_config c WHERE c.principal = $1 AND c.task_id = $2 AND c.id = $3 AND ${scopeSql}`,
    [principal, taskId, id, delegation],
  );
}

/** Deletes the configurations of a credential, of a principal, or on tasks at an agent. */
export async function deletePushConfigsOf(
  whose: { credentialId: string } | { principal: string } | { agentId: string },
): Promise<void> {
  if ('principal' in whose) {
    const statement = 'DELETE FROM push_config WHERE principal = $1';
    await ofOwner(whose.principal).execute('delete-push-configs-of-principal', statement, [whose.principal]);
  } else if ('credentialId' in whose) {
    const statement = 'DELETE FROM push_config WHERE credential_id = $1';
    await inEachTaskDatabase.execute('delete-push-configs-of-credential', statement, [whose.credentialId]);
  } else {
    const statement = 'DELETE FROM push_config WHERE agent_id = $1';
    await inEachTaskDatabase.execute('delete-push-configs-of-agent', statement, [whose.agentId]);
  }
}

const listedRow = row({
  ...receiverRow.columns,
  lastStatus: nullable(int4()),
  attempts: int4(),
  failingSince: nullable(timestamptz()),
});

/** Finds the principal's webhooks: active ones first, then newest first. */
export async function findReceivers(principal: string, limit: number): Promise<RowOf<typeof listedRow>[]> {
  return listedRow.of(principal).query(
    'find-push-receivers',
    `SELECT c.task_id AS "taskId", c.id, c.principal, c.agent_id AS "agentId", c.delegation, c.dialect, c.url,
       coalesce(c.credential_id, c.principal) AS "credentialId", c.sent_seq AS "sentSeq", c.ended,
       c.created_at AS "createdAt", c.last_status AS "lastStatus", c.attempts, c.failing_since AS "failingSince"
     FROM push_config c WHERE c.principal = $1 ORDER BY c.ended, c.created_at DESC, c.task_id, c.id LIMIT $2`,
    [principal, limit],
  );
}

/** Deletes one of the principal's webhooks. Returns true if it existed. */
export async function deleteReceiver(
  principal: string,
  { taskId, id }: { taskId: string; id: string },
): Promise<boolean> {
  const text = 'DELETE FROM push_config WHERE principal = $1 AND task_id = $2 AND id = $3 RETURNING id';
  return (await ofOwner(principal).execute('delete-push-receiver', text, [principal, taskId, id])) > 0;
}

type Secrets = Pick<PushTarget, 'token' | 'authentication'>;

const purpose = 'push-config';

/** Encrypts the client's token and credentials for storage. */
export function sealSecrets({ token, authentication }: Secrets): string {
  return seal(purpose, JSON.stringify({ token, authentication }));
}

export function openSecrets(sealed: string): Secrets {
  return JSON.parse(unseal(purpose, sealed)) as Secrets;
}
