import { randomBytes } from 'node:crypto';
import {
  authorize,
  challengeOf,
  createAuthenticationOptions,
  guards,
  passkeyMissing,
  recordChange,
  verifyAssertion,
} from '../../identity';
import { appendAudit, standingChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import { inTransaction, lockName, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { toDecimalText } from '../../protocol/ap2/money';
import { type OpenTerms, readItems } from '../../protocol/ap2/open-mandates';
import { signOpenMandatesOf } from '../ap2/sign-open-mandates';
import { isTestMode } from '../charges/stripe-mode';
import { MAX_STANDING_APPROVALS, MAX_STANDING_MS, STANDING_DRAFT_TTL_MS } from '../limits';
import { loadOwnOrder } from '../orders/read-orders';
import type { OrderRecord } from '../record';
import type { SignStanding, StandingList, StandingReview, StandingReviewRequest } from '../schema-standing';
import { findTimeZone } from '../store/spending-limits';
import {
  findDraft,
  findStandingApprovals,
  type StandingRecord,
  saveDraft,
  signDraft,
} from '../store/standing-approvals';
import { endOfDay } from '../store/standing-use';
import { isEnded, listStandingApprovals } from './list-standing';
import { merchantOf } from './merchant-of';
import { readStandingText, writeStandingText } from './text';

/**
 * The text of a standing approval for the merchant of one of the user's orders, for the user's passkey to sign.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens; `not_found` also for other users' orders;
 *   `invalid_request` for terms that contradict each other; `passkey_required` without a passkey
 */
export async function reviewStanding({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: StandingReviewRequest;
}): Promise<StandingReview> {
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
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens; `conflict` when the review has expired or the
 *   user has too many; `passkey_refused`
 */
export async function createStanding({ ctx, input }: { ctx: Ctx; input: SignStanding }): Promise<StandingList> {
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
  const [order, total] = [maxPerOrder, maxTotal].map((minor) => `${toDecimalText({ currency, minor })} ${currency}`);
  const detail = `It pays up to ${order} per order and ${total} in total, until ${until}.`;
  const change = { userId, kind: 'standing.create' as const, subject: `standing ${id}`, detail, before: { id } };
  await recordChange(tx, ctx, change);
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
