import { authorize, requireAdmin } from '../../identity';
import { consume } from '../../limits';
import { publish } from '../../platform/bus';
import type { Call } from '../../platform/context';
import { inTransaction, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { failpoint } from '../../platform/runtime/failpoint';
import { MAX_DISPUTE_ENTRIES, MAX_DISPUTE_FILES } from '../limits';
import { DISPUTE_LIMIT } from '../rate-limits';
import { notRefundable } from '../refunds/refund-rules';
import type {
  DisputeAction,
  DisputeActionInput,
  DisputeDecision,
  DisputeParty,
  DisputeRole,
  DisputeView,
  EntryKind,
} from '../schema-disputes';
import { addEntry, countEntries, type NewEntry } from '../store/disputes/dispute-entries';
import { queueNotice } from '../store/disputes/dispute-notices';
import { type DisputeRecord, moveDispute } from '../store/disputes/dispute-rows';
import { setHold } from '../store/earnings/earning-rows';
import { endDispute, type LockedDispute, lockDispute } from './close-dispute';
import { decodeFiles } from './dispute-files';
import { deadlineOf, notPossible, requireAction } from './dispute-machine';
import { loadDispute, toDisputeView } from './read-disputes';

interface Step {
  party: DisputeParty;
  input: DisputeActionInput;
  files: NonNullable<NewEntry['files']>;
  at: Date;
}

/**
 * Does one thing in a dispute of the user, as its buyer or seller.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope` (buyers need `pay`, sellers `agents:write`),
 *   `rate_limited`; `not_found` (also for disputes of others); `invalid_request` without words or an amount where they
 *   are required, and for a file; `conflict` if it is not possible now
 */
export async function changeDispute({ ctx, input }: Call<DisputeActionInput & { id: string }>): Promise<DisputeView> {
  const { userId } = authorize(ctx.actor, 'user');
  const found = await loadDispute({ userId }, input.id);
  const party = found.userId === userId ? 'buyer' : 'seller';
  authorize(ctx.actor, { scope: party === 'buyer' ? 'pay' : 'agents:write' });
  const step = { party, input, files: decodeFiles(input.files), at: ctx.now } as const;
  await consume(DISPUTE_LIMIT, userId, ctx.now);
  await inTransaction(async (tx) => {
    const locked = await lockDispute(tx, found);
    requireAction(locked.dispute, party, input.action);
    await requireRoom(tx, locked.dispute, step.files.length);
    await actions[input.action](tx, locked, step);
  });
  failpoint('dispute.changed');
  return afterChange(found, { role: party, now: ctx.now });
}

/** Wakes the worker for the refund of an order, and returns the dispute. */
async function afterChange(found: DisputeRecord, viewer: { role: DisputeRole; now: Date }): Promise<DisputeView> {
  if (found.saleKind === 'order') await publish('order', found.saleId);
  return toDisputeView(await loadDispute('all', found.id), viewer);
}

type Action = (tx: Tx, locked: LockedDispute, step: Step) => Promise<void>;

const actions: Record<DisputeAction, Action> = {
  async message(tx, locked, step) {
    if (step.input.text === '') throw missing('text', 'write something');
    await write(tx, locked.dispute, { ...step, kind: 'message', amount: null });
    await queueNotice(tx, locked.dispute, { to: otherOf(step.party), event: 'message', at: step.at });
    await answer(tx, locked, step);
  },
  async propose(tx, locked, step) {
    const { amount } = step.input;
    const { wanted, currency } = locked.dispute;
    const left = Math.min(wanted, locked.earning.gross - locked.earning.refunded);
    if (amount === undefined) throw missing('amount', 'expected the proposed amount, in minor units');
    if (amount > left) throw notRefundable({ amount, left, currency });
    await write(tx, locked.dispute, { ...step, kind: 'proposed', amount });
    await queueNotice(tx, locked.dispute, { to: otherOf(step.party), event: 'proposed', at: step.at });
    const proposal = { proposedBy: step.party, proposed: amount, at: step.at };
    if (!(await moveDispute(tx, locked.dispute, proposal))) throw notPossible(locked.dispute);
    const { version } = locked.dispute;
    await answer(tx, { ...locked, dispute: { ...locked.dispute, version: version + 1 } }, step);
  },
  async accept(tx, locked, step) {
    const { proposed } = locked.dispute;
    const text = 'This is not the latest proposal. Load the dispute again.';
    if (proposed === null || step.input.amount !== proposed)
      throw new ParleyError('conflict', text, { data: { proposed } });
    await write(tx, locked.dispute, { ...step, kind: 'agreed', amount: proposed });
    await endDispute(tx, locked, { outcome: 'agreed', amount: proposed, at: step.at });
  },
  async refund(tx, locked, step) {
    const { gross, refunded } = locked.earning;
    const amount = Math.min(locked.dispute.wanted, gross - refunded);
    await write(tx, locked.dispute, { ...step, kind: 'refunded', amount });
    await endDispute(tx, locked, { outcome: 'refunded', amount, at: step.at });
  },
  async withdraw(tx, locked, step) {
    await write(tx, locked.dispute, { ...step, kind: 'withdrawn', amount: null });
    await endDispute(tx, locked, { outcome: 'withdrawn', amount: 0, at: step.at });
  },
  async escalate(tx, locked, step) {
    await write(tx, locked.dispute, { ...step, kind: 'escalated', amount: null });
    await escalateDispute(tx, locked, step.at);
  },
};

/** The seller's first words are the answer, after which both can agree for some days. */
async function answer(tx: Tx, locked: LockedDispute, { party, at }: Step): Promise<void> {
  if (party !== 'seller' || locked.dispute.state !== 'open') return;
  await extend(tx, locked, { state: 'answered', at });
}

/** Gives a dispute to the moderators, who decide it. */
export async function escalateDispute(tx: Tx, locked: LockedDispute, at: Date): Promise<void> {
  await extend(tx, locked, { state: 'review', at });
  for (const to of ['buyer', 'seller'] as const) await queueNotice(tx, locked.dispute, { to, event: 'escalated', at });
}

/** Begins a state with its deadline, until which the money is held. */
export async function extend(
  tx: Tx,
  { dispute, earning }: LockedDispute,
  { state, at }: { state: 'answered' | 'review' | 'failed'; at: Date },
): Promise<void> {
  const dueAt = deadlineOf(state, at) ?? at;
  if (!(await moveDispute(tx, dispute, { state, dueAt, remindedAt: null, at }))) throw notPossible(dispute);
  await setHold(tx, { ...earning, hold: 'dispute', availableAt: dueAt });
}

async function write(
  tx: Tx,
  { id: disputeId }: DisputeRecord,
  { party: author, input, files, at, kind, amount }: Step & { kind: EntryKind; amount: number | null },
): Promise<void> {
  await addEntry(tx, { disputeId, author, kind, text: input.text, amount, files, at });
}

async function requireRoom(tx: Tx, { id }: DisputeRecord, files: number): Promise<void> {
  const count = await countEntries(tx, id);
  if (count.entries < MAX_DISPUTE_ENTRIES && count.files + files <= MAX_DISPUTE_FILES) return;
  const text = `A dispute has at most ${MAX_DISPUTE_ENTRIES} entries and ${MAX_DISPUTE_FILES} files.`;
  throw new ParleyError('conflict', text, { data: count });
}

function otherOf(party: DisputeParty): DisputeParty {
  return party === 'buyer' ? 'seller' : 'buyer';
}

function missing(member: string, message: string): ParleyError {
  return new ParleyError('invalid_request', `/${member}: ${message}.`, {
    data: { faults: [{ pointer: `/${member}`, message }] },
  });
}

/**
 * Decides a dispute on behalf of a moderator: what goes back to the buyer, and why.
 * @throws {ParleyError} `not_found` for unknown disputes and non-moderators, `sign_in_again`; `conflict` if no decision
 *   is due, the moderator is a party, or the amount exceeds what is wanted or left
 */
export async function decideDispute({ ctx, input }: Call<DisputeDecision & { id: string }>): Promise<DisputeView> {
  const { userId } = await requireAdmin({ ctx });
  const found = await loadDispute('all', input.id);
  const { amount, text } = input;
  await inTransaction(async (tx) => {
    const locked = await lockDispute(tx, found);
    const { dispute } = locked;
    requireAction(dispute, 'moderator', 'decide');
    if (dispute.userId === userId || dispute.sellerId === userId)
      throw new ParleyError('conflict', 'You are a party of this dispute. Another moderator decides it.');
    await addEntry(tx, { disputeId: dispute.id, author: 'moderator', kind: 'decided', text, amount, at: ctx.now });
    await endDispute(tx, locked, { outcome: 'decided', amount, at: ctx.now });
  });
  failpoint('dispute.decided');
  return afterChange(found, { role: 'moderator', now: ctx.now });
}
