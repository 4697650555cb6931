import { notifyPayload, publishLocally } from '../../platform/bus';
import { row, text } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';

const revokedRow = row({ jti: text() });

/** Returns the ids of all revoked tokens that have not expired. */
export async function listRevokedIds(now: Date): Promise<string[]> {
  const rows = await revokedRow.query('tokens-revoked', 'SELECT jti FROM revoked_token WHERE expires_at > $1', [now]);
  return rows.map(({ jti }) => jti);
}

export async function isRevokedId(jti: string): Promise<boolean> {
  return (await execute('tokens-is-revoked', 'SELECT 1 FROM revoked_token WHERE jti = $1', [jti])) > 0;
}

/** Stores a revoked id until its token expires, deletes expired ones, and notifies every node. */
export async function insertRevokedId(token: { jti: string; expiresAt: Date; now: Date }): Promise<void> {
  await execute(
    'tokens-revoke',
    `WITH expired AS (DELETE FROM revoked_token WHERE expires_at <= $3 AND jti <> $1),
     revoked AS (INSERT INTO revoked_token (jti, expires_at) VALUES ($1, $2) ON CONFLICT (jti) DO NOTHING)
     SELECT pg_notify('parley', $4)`,
    [token.jti, token.expiresAt, token.now, notifyPayload('revoked', token.jti)],
  );
  publishLocally('revoked', token.jti);
}

/** Stores a used DPoP proof and deletes expired ones. Returns false if the proof was already used, on any node. */
export async function consumeProof(proof: { id: string; expiresAt: Date; now: Date }): Promise<boolean> {
  const count = await execute(
    'tokens-consume-dpop-proof',
    `WITH deleted AS (DELETE FROM dpop_proof WHERE expires_at < $3 AND id <> $1)
     INSERT INTO dpop_proof (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id`,
    [proof.id, proof.expiresAt, proof.now],
  );
  return count === 1;
}
