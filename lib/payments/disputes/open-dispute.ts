import { authorize } from '../../identity';
import { consume } from '../../limits';
import type { Call } from '../../platform/context';
import { inTransaction, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { failpoint } from '../../platform/runtime/failpoint';
import { DAY_MS } from '../../platform/time';
import { acceptanceStateOf, closedReasonsOf, toAcceptanceView } from '../acceptance/acceptance-rules';
import { holdForDispute } from '../earnings/dispute-holds';
import { DISPUTE_WINDOW_DAYS } from '../limits';
import { DISPUTE_LIMIT } from '../rate-limits';
import type { EarningRecord } from '../record';
import { feeShareOf } from '../refunds/charge-refunds';
import { refundInProgress } from '../refunds/order-refunds';
import { notRefundable } from '../refunds/refund-rules';
import type { AcceptanceView, DisputeReason, DisputeView, OpenDispute } from '../schema-disputes';
import { toAgentName } from '../sellers/agent-names';
import { addEntry, type NewEntry } from '../store/disputes/dispute-entries';
import { queueNotice } from '../store/disputes/dispute-notices';
import { type DisputeRecord, findOpenDispute, findOutcomes, insertDispute } from '../store/disputes/dispute-rows';
import { findAcceptance } from '../store/earnings/acceptance-rows';
import { findEarningOfSale, lockEarning } from '../store/earnings/earning-rows';
import { findRefunds, moveRefund } from '../store/order-details';
import { findOrder } from '../store/orders';
import { findCapturedCharge } from '../store/plans/task-charges';
import { decodeFiles } from './dispute-files';
import { deadlineOf } from './dispute-machine';
import { toDisputeView } from './read-disputes';

/**
 * Opens a dispute of a sale that the user paid, and holds the seller's money of it until it ends. Replaces a refund
 * that the buyer has requested.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`; `not_found` (also for other buyers'
 *   sales); `invalid_request` for a file; `conflict` if the sale is not paid, too old, disputed or decided already, the
 *   user's own, its result is accepted and the reason contradicts that, a refund is in progress, or less than `wanted`
 *   is left
 */
export async function openDispute({ ctx, input }: Call<OpenDispute>): Promise<DisputeView> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const files = decodeFiles(input.files);
  await consume(DISPUTE_LIMIT, userId, ctx.now);
  const taskId = await findPaidTask({ ...input, userId });
  const dispute = await inTransaction((tx) => open(tx, { ...input, userId, taskId, attached: files, at: ctx.now }));
  failpoint('dispute.opened');
  return toDisputeView(dispute, { role: 'buyer', now: ctx.now });
}

type Opening = OpenDispute & { userId: string; taskId: string; attached: NonNullable<NewEntry['files']>; at: Date };

async function open(tx: Tx, opening: Opening): Promise<DisputeRecord> {
  const { kind: saleKind, saleId, wanted, reason, userId, taskId, at } = opening;
  const earning = await lockEarning(tx, saleKind, saleId);
  if (!earning) throw conflict('This was not paid, so it cannot be disputed.');
  await requireDisputable(tx, earning, opening);
  const { id: _, sellerId, agentId, currency, test, hold, availableAt } = earning;
  const until = deadlineOf('open', at) ?? at;
  const dispute: DisputeRecord = {
    ...{ id: newId('dsp'), saleKind, saleId, userId, sellerId, agentId, taskId, currency, test, reason, wanted },
    ...{ state: 'open', outcome: null, awarded: null, refundId: null, proposedBy: null, proposed: null },
    ...{ priorHold: hold, priorAvailableAt: availableAt, dueAt: until, remindedAt: null, version: 0 },
    ...{ createdAt: at, updatedAt: at, closedAt: null },
  };
  if (!(await insertDispute(tx, dispute))) throw conflict('This sale is already disputed.');
  await holdForDispute(tx, earning, { id: dispute.id, share: wanted - feeShareOf(earning, wanted), until, at });
  const entry = { disputeId: dispute.id, author: 'buyer', kind: 'opened', amount: wanted, at } as const;
  await addEntry(tx, { ...entry, text: opening.text, files: opening.attached });
  await queueNotice(tx, dispute, { to: 'seller', event: 'opened', at });
  return dispute;
}

/** What a buyer can dispute of a sale. Amounts are minor units. */
export interface DisputableSale {
  agent: { slug: string; name: string };
  currency: string;
  /** What is not refunded yet. */
  left: number;
  /** The last time at which a dispute can be opened. */
  until: Date;
  isOpen: boolean;
  /** Null for a sale without acceptance terms. */
  acceptance: AcceptanceView | null;
  /** The reasons that contradict an acceptance. */
  closedReasons: readonly DisputeReason[];
}

/**
 * Returns what the user can dispute of a sale that they paid.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found`, also for sales without a payment
 */
export async function getDisputableSale({
  ctx,
  input,
}: Call<Pick<OpenDispute, 'kind' | 'saleId'>>): Promise<DisputableSale> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  await findPaidTask({ ...input, userId });
  const earning = await findEarningOfSale(input.kind, input.saleId);
  if (!earning) throw new ParleyError('not_found', 'Nothing that you paid has this ID.');
  const { agentId, currency, gross, refunded, capturedAt } = earning;
  const until = new Date(capturedAt.getTime() + DISPUTE_WINDOW_DAYS * DAY_MS);
  const found = await findAcceptance(input.kind, input.saleId);
  return {
    ...{ agent: await toAgentName(agentId), currency, left: gross - refunded, until, isOpen: until > ctx.now },
    acceptance: found && toAcceptanceView(found, ctx.now),
    closedReasons: found ? closedReasonsOf(acceptanceStateOf(found, ctx.now)) : [],
  };
}

/** Returns the task of a sale that the user paid. */
async function findPaidTask({ kind, saleId, userId }: Pick<Opening, 'kind' | 'saleId' | 'userId'>): Promise<string> {
  const sale = kind === 'order' ? await findOrder({ userId }, saleId) : await findCapturedCharge(saleId);
  if (sale?.userId !== userId) throw new ParleyError('not_found', 'Nothing that you paid has this ID.');
  return sale.taskId;
}

async function requireDisputable(
  tx: Tx,
  earning: EarningRecord,
  { wanted, reason, userId, at }: Opening,
): Promise<void> {
  const { saleKind, saleId, sellerId, capturedAt, gross, refunded, currency } = earning;
  if (sellerId === userId) throw conflict('This is your own sale.');
  if (at.getTime() - capturedAt.getTime() > DISPUTE_WINDOW_DAYS * DAY_MS)
    throw conflict(`A sale can be disputed for ${DISPUTE_WINDOW_DAYS} days after the payment.`);
  const opened = await findOpenDispute(tx, saleKind, saleId);
  if (opened) throw conflict('This sale is already disputed.', { dispute: opened.id });
  const outcomes = await findOutcomes(tx, saleKind, saleId);
  if (outcomes.some((outcome) => outcome !== 'withdrawn'))
    throw conflict('An earlier dispute of this sale has ended with a decision or an agreement.');
  await requireNotAccepted(tx, { saleKind, saleId, reason, at });
  if (wanted > gross - refunded) throw notRefundable({ amount: wanted, left: gross - refunded, currency });
  if (saleKind === 'order') await replaceRequest(tx, saleId, at);
}

/** Refuses a reason that contradicts the acceptance of the result. */
async function requireNotAccepted(
  tx: Tx,
  { saleKind, saleId, reason, at }: Pick<EarningRecord, 'saleKind' | 'saleId'> & Pick<Opening, 'reason' | 'at'>,
): Promise<void> {
  const found = await findAcceptance(saleKind, saleId, tx);
  if (!found) return;
  const closed = closedReasonsOf(acceptanceStateOf(found, at));
  if (!closed.includes(reason)) return;
  const text = `The result was accepted, so it can no longer be disputed for this reason: ${reason}.`;
  throw conflict(text, { closed: [...closed] });
}

/** Ends the refund request of an order, which the dispute replaces. */
async function replaceRequest(tx: Tx, orderId: string, at: Date): Promise<void> {
  const refunds = await findRefunds([orderId], tx);
  if (refunds.some(({ state }) => state === 'approved')) throw refundInProgress();
  const requested = refunds.find(({ state }) => state === 'requested');
  if (requested && !(await moveRefund(tx, requested, { state: 'refused', at }))) throw refundInProgress();
}

function conflict(text: string, data: { dispute?: string; closed?: DisputeReason[] } = {}): ParleyError {
  return new ParleyError('conflict', text, { data });
}
