import { type AuditEntry, appendAudit } from '../../observability';
import { type Db, db } from '../../platform/db/db';
import { inTransaction, lockName } from '../../platform/db/tx';
import { type MerchantJwk, type PinnedKey, readMerchantKey } from '../sellers/merchant-keys';

/** The merchant record of a listing: the signer of its carts, and the keys. */
export interface Merchant {
  agentId: string;
  signing: 'own' | 'platform';
  /** The required `iss` of its signatures. */
  issuer: string;
  jwksUrl: string | null;
  keys: PinnedKey[];
  createdAt: Date;
  /** The time of the last change or key fetch. */
  updatedAt: Date;
}

/** Finds the registered or pinned merchant record of a listing, or null. Keys are sorted oldest first. */
export async function findMerchant(agentId: string, tx: Db = db()): Promise<Merchant | null> {
  const row = await tx.merchant.findUnique({
    where: { agentId },
    include: { keys: { orderBy: [{ createdAt: 'asc' }, { kid: 'asc' }] } },
  });
  if (!row) return null;
  const keys = row.keys.map(({ kid, jwk, createdAt, retiresAt }) => ({ kid, jwk: toJwk(jwk), createdAt, retiresAt }));
  return { ...row, signing: row.signing === 'platform' ? 'platform' : 'own', keys };
}

function toJwk(value: unknown): MerchantJwk {
  const key = readMerchantKey(value);
  if ('error' in key) throw new Error(`a stored key of a merchant ${key.error}`);
  return key;
}

/**
 * Changes the merchant record of a listing. `decide` runs under a lock on the stored record, so that concurrent changes
 * are serialized. If it throws, the change is rolled back.
 */
export async function changeMerchant(
  agentId: string,
  decide: (known: Merchant | null) => { merchant: Merchant; audit?: AuditEntry },
): Promise<Merchant> {
  return inTransaction(async (tx) => {
    await lockName(tx, `merchant ${agentId}`);
    const { merchant, audit } = decide(await findMerchant(agentId, tx));
    const { keys, ...row } = merchant;
    await tx.merchant.upsert({ where: { agentId }, create: row, update: row });
    await tx.merchantKey.deleteMany({ where: { agentId } });
    await tx.merchantKey.createMany({ data: keys.map((key) => ({ ...key, jwk: { ...key.jwk }, agentId })) });
    if (audit) await appendAudit(tx, audit);
    return merchant;
  });
}

/** Deletes the merchant records of listings. */
export async function eraseMerchants(tx: Db, agentIds: string[]): Promise<void> {
  await tx.merchant.deleteMany({ where: { agentId: { in: agentIds } } });
}
