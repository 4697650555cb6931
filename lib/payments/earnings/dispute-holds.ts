import type { Tx } from '../../platform/db/tx';
import type { EarningRecord, LedgerAccount, LedgerTransaction } from '../record';
import { setHold } from '../store/earnings/earning-rows';
import { postTransaction } from '../store/ledger';
import { availableAccountOf } from './earning-accounts';

/** Returns the account of a seller's money that is kept for an open dispute. */
function reserveAccountOf(sellerId: string): LedgerAccount {
  return { kind: 'reserve', owner: sellerId };
}

/** A dispute that holds the money of an earning. */
interface Holder {
  id: string;
  at: Date;
}

/**
 * Holds the money of a locked earning until the date of a dispute: pending money stays pending, and of available money
 * `share` moves to reserve, also if it was paid out, so that available becomes negative. Minor units.
 */
export async function holdForDispute(
  tx: Tx,
  earning: EarningRecord,
  { id, share, until, at }: Holder & { share: number; until: Date },
): Promise<void> {
  const reserved = earning.releasedAt === null ? 0 : share;
  await setHold(tx, { id: earning.id, hold: 'dispute', availableAt: until, reserved });
  if (reserved > 0) await postTransaction(tx, holdTransaction(earning, { id, name: 'held', amount: reserved }), at);
}

/** Ends the hold of a dispute: the earlier hold applies again, and what is in reserve is available again. */
export async function endDisputeHold(
  tx: Tx,
  earning: EarningRecord,
  { id, prior, at }: Holder & { prior: Pick<EarningRecord, 'hold' | 'availableAt'> },
): Promise<void> {
  const { reserved } = earning;
  await setHold(tx, { id: earning.id, ...prior, reserved: 0 });
  if (reserved > 0) await postTransaction(tx, holdTransaction(earning, { id, name: 'ended', amount: -reserved }), at);
}

function holdTransaction(
  { sellerId, saleKind, saleId, currency, test }: EarningRecord,
  { id, name, amount }: { id: string; name: 'held' | 'ended'; amount: number },
): LedgerTransaction {
  const entries = [
    { account: availableAccountOf(sellerId), amount: -amount },
    { account: reserveAccountOf(sellerId), amount },
  ];
  const orderId = saleKind === 'order' ? saleId : null;
  return { key: `dispute:${id}:${name}`, kind: `dispute-${name}`, orderId, currency, test, entries };
}
