import { findAgent, findAgentById, maySeeAgent, restoreAgent, suspendAgent } from '../catalog';
import type { AgentStatus } from '../catalog/schema';
import { findShare, setShareDisabled } from '../chat';
import type { Actor, Ctx } from '../platform/context';
import { inTransaction, type Tx } from '../platform/tx';
import { findReview, setReviewHidden } from '../reviews';
import { targetNotFound } from './errors';
import type { Evidence, TargetKind } from './schema';
import type { CaseRecord } from './store/cases';

/** Something that can be reported, as it is now. */
export interface Target {
  kind: TargetKind;
  id: string;
  agentId: string | null;
  /** Who answers for it. */
  ownerId: string | null;
  title: string;
  evidence: Evidence;
}

/**
 * What somebody reports, when they can see it.
 * @throws {ParleyError} `not_found`
 */
export async function findTarget(actor: Actor, kind: TargetKind, id: string): Promise<Target> {
  const target = await finders[kind](actor, id);
  if (!target) throw targetNotFound();
  return target;
}

const finders: Record<TargetKind, (actor: Actor, id: string) => Promise<Target | null>> = {
  agent: findAgentTarget,
  review: findReviewTarget,
  share: findShareTarget,
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

/** A shared conversation is told by the token in its address, which whoever reports it has. */
async function findShareTarget(_actor: Actor, token: string): Promise<Target | null> {
  const share = await findShare(token);
  const agent = share && (await findAgentById(share.agentId));
  if (!share || !agent) return null;
  const { id, userId, title } = share;
  return { kind: 'share', id, agentId: agent.id, ownerId: userId, title, evidence: { title, agent: agent.slug } };
}

interface TargetChange {
  ctx: Ctx;
  found: CaseRecord;
  /** Written in the same transaction; gets the state that the target had. */
  afterUpdate: (tx: Tx, prior: string) => Promise<void>;
}

/** Takes the target of a case down. */
export async function removeTarget({ ctx, found, afterUpdate: also }: TargetChange): Promise<void> {
  if (found.kind === 'agent') return suspendAgent({ ctx, input: { agentId: found.targetId }, afterUpdate: also });
  await inTransaction(async (tx) => {
    if (found.kind === 'share') await setShareDisabled(tx, found.targetId, ctx.now);
    else await setReviewHidden(tx, found.targetId, ctx.now);
    await also(tx, 'shown');
  });
}

/** Brings the target of a case back, as it was. */
export async function restoreTarget({ ctx, found, afterUpdate: also }: TargetChange): Promise<void> {
  if (found.kind === 'agent') {
    const status = (found.prior ?? 'active') as AgentStatus;
    return restoreAgent({ ctx, input: { agentId: found.targetId, status }, afterUpdate: also });
  }
  await inTransaction(async (tx) => {
    if (found.kind === 'share') await setShareDisabled(tx, found.targetId, null);
    else await setReviewHidden(tx, found.targetId, null);
    await also(tx, 'hidden');
  });
}
