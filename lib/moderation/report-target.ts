import { findAgent, findAgentById, maySeeAgent } from '../catalog';
import { findExample, findShare } from '../chat';
import { consume, countAttempt, type FixedWindowRule, type TokenBucketRule } from '../limits';
import { appendAudit, moderationRequested } from '../observability';
import type { Actor, Call } from '../platform/context';
import { inTransaction } from '../platform/db/tx';
import { ParleyError } from '../platform/errors';
import { newId } from '../platform/ids';
import { findReview } from '../reviews';
import { anonymousReason, type Evidence, type Receipt, type ReportInput, type TargetKind } from './schema';
import { findReportBy, insertReport, selectReceipt } from './store/case-changes';
import { openCase } from './store/cases';

/** Maximum reports without a session, per client address. */
const ANONYMOUS_REPORT_LIMIT: FixedWindowRule = {
  name: 'reports from this address',
  max: 5,
  windowSeconds: 3_600,
};

/** Maximum reports per user. */
const REPORT_LIMIT: TokenBucketRule = { name: 'reports', burst: 20, perMinute: 1, onDatabaseDown: 'refuse' };

/**
 * Reports a target to the moderators and stores its current content as evidence. Without a session, only illegal
 * content can be reported. A second report of the same case by a user returns the receipt of the first.
 * @throws {ParleyError} `not_found`, `unauthenticated`, `rate_limited`
 */
export async function reportTarget({ ctx, input }: Call<ReportInput & { address: string }>): Promise<Receipt> {
  const { actor, now } = ctx;
  const userId = actor.kind === 'user' ? actor.userId : null;
  if (userId === null && input.reason !== anonymousReason) {
    const text = 'Sign in to report this. Without an account you can only report illegal content.';
    throw new ParleyError('unauthenticated', text);
  }
  const target = await findTarget(actor, input.kind, input.id);
  if (userId === null) await countAttempt(ANONYMOUS_REPORT_LIMIT, input.address);
  else await consume(REPORT_LIMIT, userId, now);
  const { reason, details } = input;
  const reportId = await inTransaction(async (tx) => {
    const { id: targetId, evidence, ...about } = target;
    const caseId = await openCase(tx, { ...about, targetId, id: newId('mod') }, now);
    const earlier = userId && (await findReportBy(tx, caseId, userId));
    if (earlier) return earlier;
    const id = newId('rpt');
    await insertReport(tx, caseId, { id, reason, details, reporterId: userId, evidence, createdAt: now });
    await appendAudit(tx, moderationRequested(ctx, { userId, caseId, what: 'reported', detail: reason }));
    return id;
  });
  return getReceipt({ input: { id: reportId } });
}

/**
 * Returns the state of a report. Requires only the report id, no session.
 * @throws {ParleyError} `not_found`
 */
export async function getReceipt({ input }: { input: { id: string } }): Promise<Receipt> {
  const found = await selectReceipt(input.id);
  if (!found) {
    throw new ParleyError('not_found', 'Report not found. Check the URL of your receipt.');
  }
  const { createdAt, decidedAt, ...receipt } = found;
  return { ...receipt, createdAt: createdAt.toISOString(), decidedAt: decidedAt?.toISOString() ?? null };
}

/** The current content of a target that can be reported. */
interface Target {
  kind: TargetKind;
  id: string;
  agentId: string | null;
  /** The user who is responsible for it. */
  ownerId: string | null;
  title: string;
  evidence: Evidence;
}

/**
 * Finds the target with this id if the actor may see it.
 * @throws {ParleyError} `not_found`
 */
async function findTarget(actor: Actor, kind: TargetKind, id: string): Promise<Target> {
  const target = await finders[kind](actor, id);
  if (!target)
    throw new ParleyError(
      'not_found',
      'The content you are reporting no longer exists, or you do not have access to it.',
    );
  return target;
}

const finders: Record<TargetKind, (actor: Actor, id: string) => Promise<Target | null>> = {
  agent: findAgentTarget,
  review: findReviewTarget,
  share: findShareTarget,
  example: findExampleTarget,
};

async function findAgentTarget(actor: Actor, slug: string): Promise<Target | null> {
  const agent = await findAgent(slug);
  if (!agent || !maySeeAgent(actor, agent)) return null;
  const { id, ownerId, name, description, version, url } = agent;
  const skills = agent.card.skills.map((skill) => skill.name).join(', ');
  const evidence = { slug, name, description, version, address: url, skills };
  return { kind: 'agent', id, agentId: id, ownerId, title: name, evidence };
}

async function findReviewTarget(actor: Actor, reviewId: string): Promise<Target | null> {
  const review = await findReview(reviewId);
  const agent = review && (await findAgentById(review.agentId));
  if (!review || review.isHidden || !agent || !maySeeAgent(actor, agent)) return null;
  const { id, userId, stars, text, author } = review;
  const evidence = { agent: agent.slug, author, stars, text };
  return { kind: 'review', id, agentId: agent.id, ownerId: userId, title: `Review of ${agent.name}`, evidence };
}

async function findExampleTarget(actor: Actor, exampleId: string): Promise<Target | null> {
  const example = await findExample(exampleId);
  const agent = example && (await findAgentById(example.agentId));
  if (!example || !agent || !maySeeAgent(actor, agent)) return null;
  const { id, authorId, turns } = example;
  const text = turns.map((turn) => `${turn.role}: ${turn.text}`).join('\n\n');
  const evidence = { agent: agent.slug, text };
  return { kind: 'example', id, agentId: agent.id, ownerId: authorId, title: `Example of ${agent.name}`, evidence };
}

/** Finds a shared conversation by the token of its link. */
async function findShareTarget(_actor: Actor, token: string): Promise<Target | null> {
  const share = await findShare(token);
  const agent = share && (await findAgentById(share.agentId));
  if (!share || !agent) return null;
  const { id, userId, title } = share;
  return { kind: 'share', id, agentId: agent.id, ownerId: userId, title, evidence: { title, agent: agent.slug } };
}
