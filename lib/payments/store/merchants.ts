import { type AuditEntry, appendAudit } from '../../observability';
import { type Db, db } from '../../platform/db';
import { inTransaction } from '../../platform/tx';
import type { PinnedKey } from '../merchants/plan-keys';
import { type MerchantJwk, readMerchantKey } from '../merchants/read-merchant-key';

/** How a listing sells. */
export interface Merchant {
  agentId: string;
  signing: 'own' | 'platform';
  /** What `iss` of its signatures must say. */
  issuer: string;
  jwksUrl: string | null;
  keys: PinnedKey[];
  createdAt: Date;
  /** Also when its keys were fetched last. */
  updatedAt: Date;
}

/** What is registered for a listing, or was pinned at first use; keys oldest first. */
export async function findMerchant(agentId: string, on: Db = db()): Promise<Merchant | null> {
  const row = await on.merchant.findUnique({
    where: { agentId },
    include: { keys: { orderBy: [{ createdAt: 'asc' }, { kid: 'asc' }] } },
  });
  if (!row) return null;
  const keys = row.keys.map(({ kid, jwk, createdAt, retiresAt }) => ({ kid, jwk: toJwk(jwk), createdAt, retiresAt }));
  return { ...row, signing: row.signing === 'platform' ? 'platform' : 'own', keys };
}

function toJwk(value: unknown): MerchantJwk {
  const key = readMerchantKey(value);
  if ('fault' in key) throw new Error(`a stored key of a merchant ${key.fault}`);
  return key;
}

/**
 * Changes how a listing sells, decided on what is kept under a lock: two that change it at once do so one after the other.
 * What `decide` throws undoes it.
 */
export async function changeMerchant(
  agentId: string,
  decide: (known: Merchant | null) => { merchant: Merchant; audit?: AuditEntry },
): Promise<Merchant> {
  return inTransaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 AS locked FROM pg_advisory_xact_lock(hashtextextended(${`merchant ${agentId}`}, 0))`;
    const { merchant, audit } = decide(await findMerchant(agentId, tx));
    const { keys, ...row } = merchant;
    await tx.merchant.upsert({ where: { agentId }, create: row, update: row });
    await tx.merchantKey.deleteMany({ where: { agentId } });
    await tx.merchantKey.createMany({ data: keys.map((key) => ({ ...key, jwk: { ...key.jwk }, agentId })) });
    if (audit) await appendAudit(tx, audit);
    return merchant;
  });
}

/** Forgets how these listings sold. */
export async function eraseMerchants(tx: Db, agentIds: string[]): Promise<void> {
  await tx.merchant.deleteMany({ where: { agentId: { in: agentIds } } });
}
