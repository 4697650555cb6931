import { Prisma } from '../../generated/prisma/client';
import { type AuditEntry, auditJson } from '../../observability';
import { notifyPayload, publishLocally } from '../../platform/bus';
import { row, text, timestamptz } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import { publishAtCommit, type Tx } from '../../platform/db/tx';
import { seal, unseal } from '../../platform/secrets/crypto';
import type { CredentialInput } from '../schema';

/** A stored credential, encrypted until it is opened. */
export interface StoredCredential {
  kind: CredentialInput['kind'];
  setAt: Date;
  /**
   * Decrypts the credential.
   * @throws if the row was altered, or encrypted for another agent
   */
  open(): CredentialInput;
}

const purpose = 'agent-credential';

const credentialRow = row({ kind: text<CredentialInput['kind']>(), sealed: text(), setAt: timestamptz() });

export async function selectCredential(agentId: string): Promise<StoredCredential | null> {
  const text = 'SELECT kind, sealed, set_at AS "setAt" FROM agent_credential WHERE agent_id = $1';
  const found = await credentialRow.queryFirst('agent-credential', text, [agentId]);
  if (!found) return null;
  const { kind, sealed, setAt } = found;
  return { kind, setAt, open: () => unsealCredential(agentId, sealed) };
}

// The encrypted text contains the agent's id, so that a row that is copied to another agent cannot be decrypted.
function unsealCredential(agentId: string, sealed: string): CredentialInput {
  const plain = JSON.parse(unseal(purpose, sealed)) as { agentId: string; credential: CredentialInput };
  if (plain.agentId !== agentId) throw new Error(`the credential of agent ${agentId} was sealed for another agent`);
  return plain.credential;
}

/** Stores an agent's credential, replaces an earlier one, and invalidates the caches of all nodes. */
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
  await execute('agent-credential-set', text, [agentId, credential.kind, sealed, setAt, payload, auditJson(audit)]);
  publishLocally('agent', agentId);
}

/** Stores an agent's credential as {@link upsertCredential} does, when the transaction commits. */
export async function upsertCredentialInTx(
  tx: Tx,
  agentId: string,
  { credential, setAt }: { credential: CredentialInput; setAt: Date },
): Promise<void> {
  const sealed = seal(purpose, JSON.stringify({ agentId, credential }));
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO agent_credential (agent_id, kind, sealed, set_at)
      VALUES (${agentId}, ${credential.kind}, ${sealed}, ${setAt})
      ON CONFLICT (agent_id) DO UPDATE SET kind = excluded.kind, sealed = excluded.sealed, set_at = excluded.set_at`,
  );
  await publishAtCommit(tx, 'agent', agentId);
}

/** Deletes an agent's credential and invalidates the caches of all nodes. */
export async function deleteCredential(agentId: string, audit: AuditEntry): Promise<void> {
  const text = `WITH gone AS (DELETE FROM agent_credential WHERE agent_id = $1 RETURNING agent_id)
    SELECT pg_notify('parley', $2), audit_append($3::jsonb) FROM gone`;
  await execute('agent-credential-remove', text, [agentId, notifyPayload('agent', agentId), auditJson(audit)]);
  publishLocally('agent', agentId);
}
