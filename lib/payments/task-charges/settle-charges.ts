import { LRUCache } from 'lru-cache';
import { inTransaction } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import { failpoint } from '../../platform/runtime/failpoint';
import { errorFields, log } from '../../platform/runtime/log';
import { once } from '../../platform/runtime/once';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import { acceptByOf } from '../earnings/hold-rules';
import {
  CHARGE_BATCH_SIZE,
  CHARGE_CHECK_DELAY_MS,
  CHARGE_SETTLE_DELAY_MS,
  CHARGE_WITHOUT_TASK_MS,
  MAX_CHARGE_CHECK_DELAY_MS,
  MAX_CHARGE_HOLD_MS,
} from '../limits';
import { paymentsPort } from '../ports';
import type { LedgerAccount } from '../record';
import { ensureAccount } from '../store/ledger';
import { settleCharges } from '../store/plans/charge-settlements';
import { type TaskChargeRecord, takeDueCharges } from '../store/plans/task-charges';
import { feeOfCharge, holdsOfCharge } from './charge-fees';
import { type ChargeOutcome, chargeOutcome, expiredOutcome } from './charge-outcome';

interface Settlement {
  charge: TaskChargeRecord;
  outcome: ChargeOutcome;
}

interface Queue {
  waiting: Settlement[];
  timer: NodeJS.Timeout | undefined;
}

const queue = once((): Queue => ({ waiting: [], timer: undefined }));

/**
 * Settles a charge whose turn has ended, together with others that end at about the same time. Does nothing if its work
 * has not ended. With null, reads the stored events. A failure leaves the charge to {@link settleDueCharges}.
 */
export function settleCharge(charge: TaskChargeRecord, events: readonly TaskEvent[] | null): void {
  if (events === null) return void settleFromStore(charge);
  const outcome = chargeOutcome(charge, events);
  if (outcome) enqueue({ charge, outcome });
}

/** Never throws. */
async function settleFromStore(charge: TaskChargeRecord): Promise<void> {
  try {
    const outcome = await readOutcome(charge, new Date());
    if (outcome) enqueue({ charge, outcome });
  } catch (error) {
    log.warn('payments.settlement_postponed', { charges: 1, ...errorFields(error) });
  }
}

/** Releases the hold of a charge whose send did not start a turn. Its key can be used again. */
export async function cancelCharge(charge: TaskChargeRecord): Promise<void> {
  await settle([{ charge, outcome: { captured: 0, units: null, reason: 'not_started' } }], new Date());
}

function enqueue(settlement: Settlement): void {
  const { waiting } = queue();
  waiting.push(settlement);
  if (waiting.length >= CHARGE_BATCH_SIZE) void flush();
  else queue().timer ??= setTimeout(() => void flush(), CHARGE_SETTLE_DELAY_MS);
}

/** Never throws. */
async function flush(): Promise<void> {
  const state = queue();
  clearTimeout(state.timer);
  state.timer = undefined;
  const settlements = state.waiting.splice(0);
  try {
    await settle(settlements, new Date());
  } catch (error) {
    log.warn('payments.settlement_postponed', { charges: settlements.length, ...errorFields(error) });
  }
}

/**
 * Examines authorized charges whose turn this node did not see end: after a crash, a cancel, or a push of the agent.
 * Returns true if there may be more.
 */
export async function settleDueCharges(now: Date): Promise<boolean> {
  const due = await takeDueCharges({ now, minDelayMs: CHARGE_CHECK_DELAY_MS, maxDelayMs: MAX_CHARGE_CHECK_DELAY_MS });
  const settlements: Settlement[] = [];
  for (const charge of due) {
    try {
      const outcome = await readOutcome(charge, now);
      if (outcome) settlements.push({ charge, outcome });
    } catch (error) {
      log.warn('payments.charge_check_failed', { chargeId: charge.id, ...errorFields(error) });
    }
  }
  await settle(settlements, now);
  return due.length === CHARGE_BATCH_SIZE;
}

async function readOutcome(charge: TaskChargeRecord, now: Date): Promise<ChargeOutcome | null> {
  const events: TaskEvent[] = [];
  const task = { principal: charge.userId, id: charge.taskId };
  for await (const { event } of paymentsPort.operations().readTaskEvents(task)) events.push(event);
  const age = now.getTime() - charge.authorizedAt.getTime();
  if (events.length === 0 && age >= CHARGE_WITHOUT_TASK_MS) return { captured: 0, units: null, reason: 'not_started' };
  return chargeOutcome(charge, events) ?? (age >= MAX_CHARGE_HOLD_MS ? expiredOutcome(charge, events) : null);
}

async function settle(settlements: Settlement[], at: Date): Promise<void> {
  if (settlements.length === 0) return;
  for (const { charge } of settlements) await ensureSellerAccounts(charge);
  failpoint('charge.settling');
  await settleCharges(
    settlements.map(({ charge, outcome: { captured, units, reason } }) => ({
      ...{ id: charge.id, captured, units, reason, transactionId: newId('ltx'), earningId: newId('ern') },
      fee: feeOfCharge(charge, captured),
      holds: holdsOfCharge(charge, at),
      acceptBy: charge.plan.acceptance ? acceptByOf(charge.plan.acceptance, at) : null,
    })),
    at,
  );
  failpoint('charge.settled');
}

/** The accounts that are known to exist. */
const knownAccounts = new LRUCache<string, true>({ max: 10_000 });

async function ensureSellerAccounts({ agentId, currency, test }: TaskChargeRecord): Promise<void> {
  const accounts: LedgerAccount[] = [
    { kind: 'merchant', owner: agentId },
    { kind: 'fees', owner: 'parley' },
  ];
  for (const account of accounts) {
    const key = `${account.kind} ${account.owner} ${currency} ${test}`;
    if (knownAccounts.get(key)) continue;
    await inTransaction((tx) => ensureAccount(tx, account, { currency, test }));
    knownAccounts.set(key, true);
  }
}
