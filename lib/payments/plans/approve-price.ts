import { randomBytes } from 'node:crypto';
import { type AgentRecord, findAgent, requireVisible } from '../../catalog';
import type { PricePlan } from '../../catalog/schema-prices';
import {
  authorize,
  challengeOf,
  createAuthenticationOptions,
  isRecentlyAuthenticated,
  verifyAssertion,
} from '../../identity';
import { appendAudit, priceDecided } from '../../observability';
import type { Call, Ctx, UserActor } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { sha256 } from '../../platform/secrets/crypto';
import { DAY_MS } from '../../platform/time';
import { canonicalJson } from '../../protocol/jcs';
import { heldAccountOf, walletAccountOf } from '../charges/ledger-transactions';
import { isTestMode } from '../charges/stripe-mode';
import { getWallet } from '../charges/wallet';
import { REVIEW_TTL_MS } from '../limits';
import type { ApprovePrice, PriceApprovals, PriceApprovalTerms, PriceReview, PriceTerms } from '../schema-plans';
import { reserveSpending } from '../spending/reserve';
import { findPasskeyLimit } from '../store/approvals';
import { ensureAccount } from '../store/ledger';
import { endApproval, replaceApproval } from '../store/plans/price-approvals';
import { getPriceTerms, isOfTeam, listPriceApprovals, paidPlans } from './price-terms';

/** The plan that a user approves, and the amount that is held for each charge. */
interface ApprovedPlan {
  agent: AgentRecord;
  plan: PricePlan;
  amount: number;
}

/**
 * Returns the proof that an approval requires: above the user's passkey threshold, their passkey; otherwise a recent
 * sign-in or an access token.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`, `gone`, `invalid_request`; `conflict` if
 *   the plan has changed
 */
export async function reviewPrice({ ctx, input }: Call<PriceApprovalTerms>): Promise<PriceReview> {
  const user = authorize(ctx.actor, { scope: 'pay' });
  await findPlan(user, input);
  const signInAgain = user.credential.kind === 'session' && !(await isRecentlyAuthenticated({ ctx }));
  if (!(await needsPasskey(user, input))) return { passkeyRequired: false, passkey: null, signInAgain };
  return { passkeyRequired: true, passkey: await passkeyOptions(user, input, ctx.now), signInAgain };
}

/** Returns the passkey options; null for access tokens, because without a browser there is no authenticator. */
async function passkeyOptions(
  { userId, credential }: UserActor,
  terms: PriceApprovalTerms,
  now: Date,
): Promise<Record<string, unknown> | null> {
  if (credential.kind !== 'session') return null;
  const nonce = randomBytes(16).toString('base64url');
  const challenge = challengeOf(canonicalJson({ ...terms, cap: terms.cap ?? null, user_id: userId, nonce }));
  const expiresAt = new Date(now.getTime() + REVIEW_TTL_MS);
  return createAuthenticationOptions({ userId, purpose: purposeOf(terms), challenge, expiresAt }, now);
}

/** An assertion for other terms does not confirm these. */
function purposeOf(terms: PriceApprovalTerms): string {
  return `price ${sha256(canonicalJson({ ...terms, cap: terms.cap ?? null }))}`;
}

/**
 * Approves an agent's price plan: sends to the agent are charged without further questions, each with at most the
 * amount, all with at most the total. Counts to the spending limits with its total until it ends, and then with what was
 * spent. Replaces the approval in force.
 * @throws {ParleyError} the errors of {@link reviewPrice}; `spending_limit_exceeded`; `passkey_required`,
 *   `passkey_refused`, `sign_in_again`
 */
export async function approvePrice({ ctx, input }: Call<ApprovePrice>): Promise<PriceTerms> {
  const user = authorize(ctx.actor, { scope: 'pay' });
  const { assertion, ...terms } = input;
  const found = await findPlan(user, terms);
  const method = await prove(ctx, user, { terms, assertion });
  // Test credits are posted when the wallet is read first.
  await getWallet({ ctx });
  await store(ctx, user, { ...found, terms, method });
  return getPriceTerms({ ctx, input: { slug: found.agent.slug } });
}

/**
 * Ends an approval. Work in progress is still charged.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` (also for other users' approvals)
 */
export async function revokePrice({ ctx, input: { id } }: Call<{ id: string }>): Promise<PriceApprovals> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  await inTransaction(async (tx) => {
    if (!(await endApproval(tx, { id, userId, at: ctx.now })))
      throw new ParleyError('not_found', 'Approval not found.');
    await appendAudit(tx, priceDecided(ctx, { userId, id, decision: 'revoked' }));
  });
  return listPriceApprovals({ ctx });
}

async function findPlan(user: UserActor, terms: PriceApprovalTerms): Promise<ApprovedPlan> {
  const agent = requireVisible(user, await findAgent(terms.agent));
  if (isOfTeam(agent, user.userId))
    throw new ParleyError('conflict', 'You are of the team of this agent and pay nothing.');
  const plan = paidPlans(agent).find(({ id }) => id === terms.planId);
  if (!plan) throw new ParleyError('conflict', 'The agent has changed its price. Reload it and decide again.');
  const amount = plan.kind === 'unit' ? terms.cap : plan.amount;
  if (amount === undefined) throw invalid('cap', `cap: expected the most that one task may cost, in ${plan.currency}.`);
  if (terms.total < amount)
    throw invalid('total', `total: found ${terms.total}; expected at least ${amount}, the amount held for one charge.`);
  return { agent, plan, amount };
}

function invalid(member: keyof PriceApprovalTerms, message: string): ParleyError {
  return new ParleyError('invalid_request', message, { data: { faults: [{ pointer: `/${member}`, message }] } });
}

async function needsPasskey({ userId }: UserActor, { total }: PriceApprovalTerms): Promise<boolean> {
  const limit = await findPasskeyLimit(userId);
  return limit !== null && total > limit;
}

async function prove(
  ctx: Ctx,
  user: UserActor,
  { terms, assertion }: { terms: PriceApprovalTerms; assertion: ApprovePrice['assertion'] },
): Promise<'passkey' | 'session' | 'token'> {
  if (assertion) {
    const { userId } = user;
    await verifyAssertion({ userId, purpose: purposeOf(terms), response: assertion, now: ctx.now });
    return 'passkey';
  }
  if (await needsPasskey(user, terms))
    throw new ParleyError('passkey_required', 'This total is above your payment limit. Confirm with a passkey.');
  if (user.credential.kind !== 'session') return 'token';
  if (await isRecentlyAuthenticated({ ctx })) return 'session';
  throw new ParleyError('sign_in_again', 'Paying requires a sign-in from the last 15 minutes. Sign in again to pay.');
}

async function store(
  ctx: Ctx,
  { userId, credential }: UserActor,
  {
    agent,
    plan,
    amount,
    terms,
    method,
  }: ApprovedPlan & { terms: PriceApprovalTerms; method: 'passkey' | 'session' | 'token' },
): Promise<void> {
  const { currency } = plan;
  const test = isTestMode();
  const at = ctx.now;
  await inTransaction(async (tx) => {
    const order = { userId, agentId: agent.id, taskId: null, currency, amount: terms.total };
    const { origin } = await reserveSpending(tx, { order, credentialId: credential.id, now: at });
    for (const account of [heldAccountOf(userId), walletAccountOf(userId)])
      await ensureAccount(tx, account, { currency, test });
    const id = newId('pap');
    await replaceApproval(tx, {
      ...{ id, userId, agentId: agent.id, planId: plan.id, plan, currency, test, amount, total: terms.total },
      ...{
        agentsMayUse: terms.agentsMayUse,
        method,
        credentialId: origin.credentialId,
        connectionId: origin.connectionId,
      },
      ...{ createdAt: at, expiresAt: new Date(at.getTime() + terms.days * DAY_MS) },
    });
    await appendAudit(tx, priceDecided(ctx, { userId, id, decision: 'approved', detail: method }));
  });
}
