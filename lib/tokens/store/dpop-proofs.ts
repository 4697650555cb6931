import { execute } from '../../platform/db/sql';

/** Stores a used proof and deletes expired ones. False when it was already used, on any node. */
export async function consumeProof(proof: { id: string; expiresAt: Date; now: Date }): Promise<boolean> {
  const count = await execute(
    'tokens-consume-dpop-proof',
    `WITH deleted AS (DELETE FROM dpop_proof WHERE expires_at < $3 AND id <> $1)
     INSERT INTO dpop_proof (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id`,
    [proof.id, proof.expiresAt, proof.now],
  );
  return count === 1;
}
