import { type AuditEntry, auditJson } from '../../observability';
import { notifyPayload, publishLocally } from '../../platform/bus';
import { seal, unseal } from '../../platform/crypto';
import { query } from '../../platform/sql';
import type { CredentialInput } from '../schema';

/** A credential as it lies on disk: sealed until it is opened. */
export interface StoredCredential {
  kind: CredentialInput['kind'];
  setAt: Date;
  /** @throws when the row was altered, or sealed for another agent */
  open(): CredentialInput;
}

const purpose = 'agent-credential';

interface Row {
  kind: CredentialInput['kind'];
  sealed: string;
  setAt: Date;
}

export async function selectCredential(agentId: string): Promise<StoredCredential | null> {
  const text = 'SELECT kind, sealed, set_at AS "setAt" FROM agent_credential WHERE agent_id = $1';
  const [row] = await query<Row>('agent-credential', text, [agentId]);
  return row ? { kind: row.kind, setAt: row.setAt, open: () => unsealCredential(agentId, row.sealed) } : null;
}

// The agent's id is sealed in, so that a row that is copied to another agent opens nothing.
function unsealCredential(agentId: string, sealed: string): CredentialInput {
  const plain = JSON.parse(unseal(purpose, sealed)) as { agentId: string; credential: CredentialInput };
  if (plain.agentId !== agentId) throw new Error(`the credential of agent ${agentId} was sealed for another agent`);
  return plain.credential;
}

/** Stores an agent's credential in place of the one before, and tells every node. */
export async function upsertCredential(
  agentId: string,
  { credential, setAt, audit }: { credential: CredentialInput; setAt: Date; audit: AuditEntry },
): Promise<void> {
  const text = `WITH kept AS (
      INSERT INTO agent_credential (agent_id, kind, sealed, set_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT (agent_id) DO UPDATE SET kind = excluded.kind, sealed = excluded.sealed, set_at = excluded.set_at
      RETURNING agent_id)
    SELECT pg_notify('parley', $5), audit_append($6::jsonb) FROM kept`;
  const sealed = seal(purpose, JSON.stringify({ agentId, credential }));
  const payload = notifyPayload('agent', agentId);
  await query('agent-credential-set', text, [agentId, credential.kind, sealed, setAt, payload, auditJson(audit)]);
  publishLocally('agent', agentId);
}

/** Removes an agent's credential, and tells every node. */
export async function deleteCredential(agentId: string, audit: AuditEntry): Promise<void> {
  const text = `WITH gone AS (DELETE FROM agent_credential WHERE agent_id = $1 RETURNING agent_id)
    SELECT pg_notify('parley', $2), audit_append($3::jsonb) FROM gone`;
  await query('agent-credential-remove', text, [agentId, notifyPayload('agent', agentId), auditJson(audit)]);
  publishLocally('agent', agentId);
}
