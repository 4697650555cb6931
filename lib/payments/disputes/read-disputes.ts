import { z } from 'zod';
import { authorize, isAdmin, requireAdmin } from '../../identity';
import type { Call, Ctx } from '../../platform/context';
import { cursorTime, defineCursor, readPages } from '../../platform/db/cursor';
import { ParleyError } from '../../platform/errors';
import { toAcceptanceView } from '../acceptance/acceptance-rules';
import { MAX_PAGE_SIZE } from '../limits';
import type { DisputeFilter, DisputePage, DisputeRole, DisputeSummary, DisputeView } from '../schema-disputes';
import { toAgentName } from '../sellers/agent-names';
import { findDisputeFile, findEntries } from '../store/disputes/dispute-entries';
import { type DisputeRecord, type DisputeScope, findDispute, findDisputes } from '../store/disputes/dispute-rows';
import { findAcceptance } from '../store/earnings/acceptance-rows';
import { findEarningOfSale } from '../store/earnings/earning-rows';
import { actionsOf } from './dispute-machine';

const disputeCursor = defineCursor({
  list: 'disputes',
  position: z.object({ createdAt: cursorTime, id: z.string().regex(/^dsp_[0-9a-z]{1,30}$/) }),
});

/**
 * Lists the disputes of the user as a buyer or seller, or for a moderator all of them, newest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` for non-moderators, `sign_in_again`;
 *   `invalid_request` for an invalid cursor
 */
export async function listDisputes({ ctx, input }: Call<DisputeFilter>): Promise<DisputePage> {
  const owner = await ownerOf(ctx, input.role);
  const { cursor, limit, state } = input;
  const before = cursor === undefined ? null : disputeCursor.decode(cursor);
  const found = await findDisputes(owner, { state, limit: limit + 1 }, before);
  const { rows, nextCursor } = disputeCursor.pageOf(found, limit);
  return { items: await Promise.all(rows.map((dispute) => toSummary(dispute, input.role))), nextCursor };
}

async function ownerOf(ctx: Ctx, role: DisputeRole): Promise<{ userId: string } | { sellerId: string } | 'all'> {
  if (role === 'buyer') return { userId: authorize(ctx.actor, { scope: 'pay' }).userId };
  if (role === 'seller') return { sellerId: authorize(ctx.actor, { scope: 'agents:read' }).userId };
  await requireAdmin({ ctx });
  return 'all';
}

/** Streams the disputes of the user with their entries, as a buyer or as a seller. */
export async function* readDisputes({ ctx, input }: Call<{ role: 'buyer' | 'seller' }>): AsyncGenerator<DisputeView> {
  const pages = readPages(
    (page) => listDisputes({ ctx, input: { ...input, ...page, limit: MAX_PAGE_SIZE } }),
    MAX_PAGE_SIZE,
  );
  for await (const { id } of pages)
    yield toDisputeView(await loadDispute('all', id), { role: input.role, now: ctx.now });
}

/**
 * Returns a dispute of the user, or for a moderator any.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` (also for disputes of others);
 *   `sign_in_again` for a moderator
 */
export async function getDispute({ ctx, input }: Call<{ id: string }>): Promise<DisputeView> {
  const { dispute, role } = await readableDispute(ctx, input.id);
  return toDisputeView(dispute, { role, now: ctx.now });
}

/** Returns a dispute that the caller may read, and the caller's role in it. */
export async function readableDispute(ctx: Ctx, id: string): Promise<{ dispute: DisputeRecord; role: DisputeRole }> {
  const { userId } = authorize(ctx.actor, 'user');
  const own = isDisputeId(id) ? await findDispute({ userId }, id) : null;
  if (own) {
    const role = own.userId === userId ? 'buyer' : 'seller';
    authorize(ctx.actor, { scope: role === 'buyer' ? 'pay' : 'agents:read' });
    return { dispute: own, role };
  }
  if (!isAdmin(ctx.actor)) throw disputeNotFound();
  await requireAdmin({ ctx });
  return { dispute: await loadDispute('all', id), role: 'moderator' };
}

/**
 * Returns a file of a dispute that the caller may read.
 * @throws {ParleyError} as {@link getDispute}
 */
export async function getDisputeFile({
  ctx,
  input,
}: Call<{ id: string; fileId: string }>): Promise<{ name: string; mediaType: string; bytes: Uint8Array }> {
  const { dispute } = await readableDispute(ctx, input.id);
  const file = /^dsf_[0-9a-z]{1,30}$/.test(input.fileId) ? await findDisputeFile(dispute.id, input.fileId) : null;
  if (!file) throw new ParleyError('not_found', 'File not found.');
  return file;
}

/** Returns a dispute in the scope. Throws `not_found` for all others. */
export async function loadDispute(scope: DisputeScope, id: string): Promise<DisputeRecord> {
  const found = isDisputeId(id) ? await findDispute(scope, id) : null;
  if (!found) throw disputeNotFound();
  return found;
}

function isDisputeId(id: string): boolean {
  return /^dsp_[0-9a-z]{1,30}$/.test(id);
}

function disputeNotFound(): ParleyError {
  return new ParleyError('not_found', 'Dispute not found. Check the URL.');
}

async function toSummary(dispute: DisputeRecord, role: DisputeRole): Promise<DisputeSummary> {
  const { id, saleKind: kind, saleId, currency, test, reason, wanted, state, outcome, awarded } = dispute;
  return {
    ...{ id, role, kind, saleId, currency, test, reason, wanted, state, outcome, awarded },
    agent: await toAgentName(dispute.agentId),
    dueAt: dispute.dueAt?.toISOString() ?? null,
    createdAt: dispute.createdAt.toISOString(),
    closedAt: dispute.closedAt?.toISOString() ?? null,
  };
}

/** Returns a dispute as a role sees it. */
export async function toDisputeView(
  dispute: DisputeRecord,
  { role, now }: { role: DisputeRole; now: Date },
): Promise<DisputeView> {
  const { saleKind, saleId, proposedBy, proposed } = dispute;
  const [summary, entries, earning, acceptance] = await Promise.all([
    toSummary(dispute, role),
    findEntries(dispute.id),
    findEarningOfSale(saleKind, saleId),
    findAcceptance(saleKind, saleId),
  ]);
  if (!earning) throw new Error(`the dispute ${dispute.id} has no earning`);
  return {
    ...summary,
    paid: earning.gross,
    refunded: earning.refunded,
    capturedAt: earning.capturedAt.toISOString(),
    acceptance: acceptance && toAcceptanceView(acceptance, now),
    proposal: proposedBy !== null && proposed !== null ? { by: proposedBy, amount: proposed } : null,
    actions: actionsOf(dispute, role),
    entries,
  };
}
