import { findUser } from '../identity';
import type { Ctx } from '../platform/context';
import { writeCard } from '../protocol/a2a/cards/write-card';
import { findAgent } from './find-agent';
import { findLookalike } from './find-lookalike';
import { requireVisible } from './policy';
import type { AgentDetail } from './schema';
import { countListed } from './store/agents';
import { selectPublisher } from './store/publishers';
import { toPublishedCard } from './to-published-card';
import { toDetail } from './to-wire';

/**
 * Everything the agent page shows.
 * @throws {ParleyError} `not_found`; `gone` when it was public once and is withdrawn
 */
export async function getAgentPage({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string };
}): Promise<AgentDetail> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const [owner, publisher, listings, looksLike] = await Promise.all([
    findUser(agent.ownerId),
    selectPublisher(agent.ownerId),
    countListed(agent.ownerId),
    findLookalike(agent),
  ]);
  const name = publisher?.name || owner?.name || 'A former member';
  return toDetail(agent, {
    publisher: { name, handle: publisher?.handle ?? null, listings },
    looksLike,
    cardJson: JSON.stringify(writeCard(toPublishedCard(agent), '0.3'), null, 2),
  });
}
