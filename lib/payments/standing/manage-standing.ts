import { randomBytes } from 'node:crypto';
import {
  authorize,
  challengeOf,
  createAuthenticationOptions,
  guards,
  passkeyMissing,
  proveChange,
  recordChange,
  verifyAssertion,
} from '../../identity';
import { appendAudit, standingChanged } from '../../observability';
import type { Call, Ctx } from '../../platform/context';
import { inTransaction, lockName, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import type { OpenTerms } from '../../protocol/ap2/open-mandates';
import { readItems } from '../../protocol/ap2/open-mandates';
import { signOpenMandatesOf } from '../ap2/sign-mandates';
import { merchantOf, readStandingText, writeStandingText } from '../ap2/standing-text';
import { isTestMode } from '../charges/stripe-mode';
import { MAX_STANDING_APPROVALS, MAX_STANDING_MS, STANDING_DRAFT_TTL_MS } from '../limits';
import { loadOwnOrder } from '../orders/read-orders';
import type { OrderRecord } from '../record';
import type {
  SetPaused,
  SetStopped,
  SignStanding,
  StandingApprovalView,
  StandingList,
  StandingReview,
  StandingReviewRequest,
} from '../schema-standing';
import { toAgentName } from '../sellers/agent-names';
import {
  findDraft,
  findStandingApprovals,
  findStoppedAt,
  type StandingRecord,
  saveDraft,
  saveStoppedAt,
  signDraft,
  updateStanding,
} from '../store/approvals';
import { findAutomaticEmails, findTimeZone } from '../store/limits-and-alerts';
import { endOfDay, findStandingUse } from '../store/spending-usage';

/**
 * Returns the text of a standing approval for the merchant of one of the user's orders, which the user's passkey signs.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens; `not_found` (also for other users' orders);
 *   `invalid_request` for terms that contradict each other; `passkey_required` without a passkey
 */
export async function reviewStanding({ ctx, input }: Call<StandingReviewRequest>): Promise<StandingReview> {
  const { userId, credential } = authorize(ctx.actor, 'session');
  const { orderId, ...terms } = input;
  const order = await loadOwnOrder(ctx, orderId);
  const { agentId, issuer, currency } = order;
  const payee = merchantOf(order);
  if (issuer === null || payee === null || order.captured === 0) {
    throw invalid('orderId', 'Choose an order that you paid: its merchant has proved to deliver.');
  }
  const end = await endOfDay(terms.until, (await findTimeZone(userId)) ?? 'UTC');
  assertConsistent(terms, end, ctx.now);
  const id = newId('sta');
  const text = writeStandingText({
    ...{ v: 1, id, user_id: userId, agent_id: agentId, issuer, currency, terms },
    ...{ payee, test: isTestMode() },
    items: terms.onlySameItems ? itemsOf(order) : null,
    nonce: randomBytes(16).toString('base64url'),
    expires_at: end.toISOString(),
  });
  const expiresAt = new Date(ctx.now.getTime() + STANDING_DRAFT_TTL_MS);
  const draft = { id, userId, agentId, issuer, currency, text, credentialId: credential.id, createdAt: ctx.now };
  await inTransaction((tx) => saveDraft(tx, { ...draft, expiresAt }));
  const request = { userId, purpose: id, challenge: challengeOf(text), expiresAt };
  const passkey = await createAuthenticationOptions(request, ctx.now);
  if (passkey) return { id, text, passkey };
  throw passkeyMissing(guards['standing.create'].what);
}

/**
 * Creates the standing approval of a reviewed text that the user's passkey signed.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens; `conflict` if the review has expired or the
 *   user has too many; `passkey_refused`
 */
export async function createStanding({ ctx, input }: Call<SignStanding>): Promise<StandingList> {
  const { userId } = authorize(ctx.actor, 'session');
  const draft = await findDraft(userId, input.id, ctx.now);
  if (!draft) throw expired();
  const response = input.assertion;
  const assertion = await verifyAssertion({ userId, purpose: draft.id, response, now: ctx.now });
  const signed = await signOpenMandatesOf(draft, ctx.now);
  if (!signed) throw expired();
  const expiresAt = new Date(readStandingText(draft.text).expires_at);
  await inTransaction(async (tx) => {
    await lockName(tx, `spending ${userId}`);
    const open = (await findStandingApprovals(userId, tx)).filter((known) => !isEnded(known, ctx.now));
    if (open.length >= MAX_STANDING_APPROVALS) {
      throw new ParleyError('conflict', `You have ${open.length} standing approvals. Revoke one first.`);
    }
    if (!(await signDraft(tx, draft, { ...signed, assertion, expiresAt, signedAt: ctx.now }))) throw expired();
    await recordCreated(tx, ctx, draft);
    await appendAudit(tx, standingChanged(ctx, { userId, id: draft.id, change: 'created' }));
  });
  return listStandingApprovals({ ctx });
}

async function recordCreated(tx: Tx, ctx: Ctx, { userId, id, text, currency }: StandingRecord): Promise<void> {
  const { maxPerOrder, maxTotal, until } = readStandingText(text).terms;
  const kind = 'standing.create';
  const values = {
    order: { currency, minor: maxPerOrder },
    total: { currency, minor: maxTotal },
    until: { day: until },
  };
  await recordChange(tx, ctx, { userId, kind, subject: `standing ${id}`, facts: { of: kind, values }, before: { id } });
}

function assertConsistent(terms: Omit<StandingReviewRequest, 'orderId'>, end: Date, now: Date): void {
  const { maxPerOrder, maxPerMonth, maxTotal } = terms;
  if (maxTotal < maxPerOrder) throw invalid('maxTotal', 'The total is less than the maximum per order.');
  if (maxPerMonth !== null && maxPerMonth < maxPerOrder) {
    throw invalid('maxPerMonth', 'The monthly maximum is less than the maximum per order.');
  }
  const ms = end.getTime() - now.getTime();
  if (ms <= 0) throw invalid('until', 'The last day has passed.');
  if (ms > MAX_STANDING_MS) throw invalid('until', 'The last day is more than a year away.');
}

function itemsOf({ checkoutJwt }: OrderRecord): OpenTerms['items'] {
  const items = checkoutJwt === null ? null : readItems(checkoutJwt);
  if (items) return items;
  throw invalid('onlySameItems', 'The carts of this merchant have no item ids, so items cannot be limited.');
}

function invalid(member: keyof StandingReviewRequest, message: string): ParleyError {
  return new ParleyError('invalid_request', message, { data: { faults: [{ pointer: `/${member}`, message }] } });
}

function expired(): ParleyError {
  return new ParleyError('conflict', 'These terms can no longer be signed. Review them again.');
}

/**
 * Lists the user's standing approvals with their use, newest first. Also returns whether all automatic payments are
 * stopped, and the frequency of the emails about them.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listStandingApprovals({ ctx }: { ctx: Ctx }): Promise<StandingList> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const timeZone = (await findTimeZone(userId)) ?? 'UTC';
  const items: StandingApprovalView[] = [];
  for (const record of await findStandingApprovals(userId))
    items.push(await toView(record, { timeZone, now: ctx.now }));
  const [stoppedAt, emails] = await Promise.all([findStoppedAt(userId), findAutomaticEmails(userId)]);
  return { stopped: stoppedAt !== null, emails, items };
}

/**
 * Pauses a standing approval, or resumes it, which is a guarded change.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens; `passkey_required`, `passkey_refused`,
 *   `sign_in_again`; `not_found`
 */
export async function pauseStanding({
  ctx,
  input: { id, paused, assertion },
}: Call<SetPaused & { id: string }>): Promise<StandingList> {
  if (!paused) await proveChange(ctx, { guard: 'standing.resume', detail: { id } }, assertion);
  return change(ctx, id, paused ? 'paused' : 'resumed');
}

/**
 * Revokes a standing approval permanently. It pays no further cart, on any node.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens; `not_found`
 */
export function revokeStanding({ ctx, input }: Call<{ id: string }>): Promise<StandingList> {
  return change(ctx, input.id, 'revoked');
}

/**
 * Stops all automatic payments immediately, or allows them again, which is a guarded change.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens; `passkey_required`, `passkey_refused`,
 * `sign_in_again`
 */
export async function stopStanding({ ctx, input: { stopped, assertion } }: Call<SetStopped>): Promise<StandingList> {
  const { userId } = authorize(ctx.actor, 'session');
  if (!stopped) await proveChange(ctx, { guard: 'standing.allow', detail: {} }, assertion);
  await inTransaction(async (tx) => {
    await lockName(tx, `spending ${userId}`);
    const since = await findStoppedAt(userId, tx);
    await saveStoppedAt(tx, userId, stopped ? ctx.now : null);
    if (!stopped && since !== null) {
      const before = { stoppedAt: since.toISOString() };
      await recordChange(tx, ctx, {
        userId,
        kind: 'standing.allow',
        subject: 'automatic payments',
        facts: null,
        before,
      });
    }
    await appendAudit(tx, standingChanged(ctx, { userId, id: null, change: stopped ? 'stopped' : 'allowed' }));
  });
  return listStandingApprovals({ ctx });
}

async function change(ctx: Ctx, id: string, how: 'paused' | 'resumed' | 'revoked'): Promise<StandingList> {
  const { userId } = authorize(ctx.actor, 'session');
  const update = how === 'revoked' ? { revokedAt: ctx.now } : { pausedAt: how === 'paused' ? ctx.now : null };
  await inTransaction(async (tx) => {
    // A payment that has started under the lock finishes first.
    await lockName(tx, `spending ${userId}`);
    const known = (await findStandingApprovals(userId, tx)).find((own) => own.id === id);
    if (!/^\w+$/.test(id) || !(await updateStanding(tx, { userId, id }, update))) {
      throw new ParleyError('not_found', 'There is no standing approval with this id.');
    }
    if (how === 'resumed' && known?.pausedAt) {
      const before = { id, pausedAt: known.pausedAt.toISOString() };
      await recordChange(tx, ctx, { userId, kind: 'standing.resume', subject: `standing ${id}`, facts: null, before });
    }
    await appendAudit(tx, standingChanged(ctx, { userId, id, change: how }));
  });
  return listStandingApprovals({ ctx });
}

/** Returns true if it is revoked or has expired. */
function isEnded({ revokedAt, expiresAt }: StandingRecord, now: Date): boolean {
  return revokedAt !== null || expiresAt <= now;
}

async function toView(record: StandingRecord, at: { timeZone: string; now: Date }): Promise<StandingApprovalView> {
  const { id, agentId, currency, createdAt, expiresAt } = record;
  const { payee, terms, items } = readStandingText(record.text);
  const use = await findStandingUse({ id, frequency: terms.frequency }, at);
  return {
    ...{ id, agent: await toAgentName(agentId), payee, currency, terms, items: items?.acceptable ?? null },
    state: stateOf(record, at.now),
    usedTotal: use.total,
    usedThisMonth: use.month,
    uses: use.uses,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

function stateOf({ revokedAt, pausedAt, expiresAt }: StandingRecord, now: Date): StandingApprovalView['state'] {
  if (revokedAt) return 'revoked';
  if (expiresAt <= now) return 'expired';
  return pausedAt ? 'paused' : 'active';
}
