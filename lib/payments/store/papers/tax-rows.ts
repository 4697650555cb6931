import { type AuditEntry, appendAudit } from '../../../observability';
import { db } from '../../../platform/db/db';
import type { Tx } from '../../../platform/db/tx';
import { newId } from '../../../platform/ids';
import type { SaleKind, TaxRateRecord } from '../../record';
import type { BillingRole, PartyDetails } from '../../schema-income';

/** Returns all rates of tax, past and future. */
export async function findTaxRates(): Promise<TaxRateRecord[]> {
  const rows = await db().taxRate.findMany({
    orderBy: [{ country: 'asc' }, { saleKind: 'asc' }, { effectiveFrom: 'asc' }, { createdAt: 'asc' }],
  });
  return rows.map(({ id: _, saleKind, ...rate }) => ({ ...rate, saleKind: saleKind as SaleKind }));
}

/** Adds a rate of tax. */
export async function insertTaxRate(tx: Tx, rate: TaxRateRecord): Promise<void> {
  const id = newId('txr');
  await tx.taxRate.create({ data: { id, ...rate } });
  const { country, saleKind, basisPoints, effectiveFrom, createdAt: at } = rate;
  const detail = `${country} ${saleKind} ${basisPoints} bps from ${effectiveFrom.toISOString()}`;
  const audit: AuditEntry = { at, event: 'tax.set', subject: 'parley', object: id, detail };
  await appendAudit(tx, audit);
}

/** The details of a user in one role. */
export interface BillingParty {
  userId: string;
  role: BillingRole;
  details: PartyDetails;
}

/** Returns the details that these users have entered, in both roles. */
export async function findBillingParties(userIds: string[]): Promise<BillingParty[]> {
  const rows = await db().billingParty.findMany({ where: { userId: { in: userIds } } });
  return rows.map(({ userId, role, details }) => ({
    userId,
    role: role as BillingRole,
    details: details as PartyDetails,
  }));
}

/** Stores a user's details in one role, or with null removes them. */
export async function saveBillingParty(
  { userId, role }: Pick<BillingParty, 'userId' | 'role'>,
  details: PartyDetails | null,
  at: Date,
): Promise<void> {
  if (details === null) {
    await db().billingParty.deleteMany({ where: { userId, role } });
    return;
  }
  const data = { details, updatedAt: at };
  await db().billingParty.upsert({
    where: { userId_role: { userId, role } },
    create: { userId, role, ...data },
    update: data,
  });
}
