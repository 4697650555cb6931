import { type AuditEntry, appendAudit } from '../../../observability';
import { type Db, db } from '../../../platform/db/db';
import { publishAtCommit, type Tx } from '../../../platform/db/tx';
import { newId } from '../../../platform/ids';
import type { ScheduledFee } from '../../record';

/** The key of the notification about a changed schedule. */
export const ALL_FEES = 'all';

/** Returns all fee schedules, past and future. */
export async function findFeeSchedules(tx: Db = db()): Promise<ScheduledFee[]> {
  const rows = await tx.feeSchedule.findMany({ orderBy: [{ effectiveFrom: 'asc' }, { createdAt: 'asc' }] });
  return rows.map(({ id: _, fixed, ...schedule }) => ({ ...schedule, fixed: Number(fixed) }));
}

/** Adds a fee schedule. The commit notifies every node. */
export async function insertFeeSchedule(tx: Tx, schedule: ScheduledFee): Promise<void> {
  const id = newId('fsc');
  const { currency, basisPoints, fixed, effectiveFrom, createdAt: at } = schedule;
  await tx.feeSchedule.create({ data: { id, ...schedule } });
  const detail = `${currency} ${basisPoints} bps + ${fixed} from ${effectiveFrom.toISOString()}`;
  const audit: AuditEntry = { at, event: 'fee.set', subject: 'parley', object: id, detail };
  await appendAudit(tx, audit);
  await publishAtCommit(tx, 'fees', ALL_FEES);
}

/** Returns true if something was sold in the currency. */
export async function hasSalesIn(tx: Db, currency: string): Promise<boolean> {
  const found = await tx.paymentOrder.findFirst({ where: { currency, authorized: { gt: 0 } }, select: { id: true } });
  return found !== null;
}
