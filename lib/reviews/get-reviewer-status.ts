import { findAgent, hasRole, requireVisible } from '../catalog';
import type { Ctx } from '../platform/context';
import { permissionOf } from './policy';
import type { ReviewerStatus } from './schema';
import { selectReviewBy } from './store/reviews';
import { toReviewView } from './to-wire';

/**
 * What this person has to do with an agent's reviews: what they wrote, and what they may write.
 * @throws {ParleyError} `not_found`, `gone`
 */
export async function getReviewerStatus({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string };
}): Promise<ReviewerStatus> {
  const { actor } = ctx;
  const agent = requireVisible(actor, await findAgent(input.slug));
  const [permission, own] = await Promise.all([
    permissionOf(actor, agent),
    actor.kind === 'user' ? selectReviewBy(actor.userId, agent.id) : null,
  ]);
  return {
    permission,
    // Without words it is one that was deleted while it was hidden.
    own: own && own.text !== '' ? { ...toReviewView(own), isHidden: own.hiddenAt !== null } : null,
    mayReply: hasRole(actor, agent, 'developer'),
  };
}
