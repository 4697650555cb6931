import { type Cache, createCache } from '../platform/cache';
import type { Ctx } from '../platform/context';
import { diffCards, truncateDiff } from './diff-cards';
import { findAgent } from './find-agent';
import { requireVisible } from './policy';
import type { CardDifference, CardVersionView } from './schema';
import { selectListedVersions } from './store/card-versions';

/** What is told of one version at most, and of all versions of an agent together, in characters. */
const maxDifferences = 20;
const maxCharacters = 100_000;

/** Twenty cards may have a mebibyte each: they are compared once, not for every reader. */
const historyCache: Cache<CardVersionView[]> = createCache({
  name: 'card-versions',
  max: 200,
  topic: 'agent',
  load: compareVersions,
});

/**
 * The cards that an agent was listed with, the latest first, each with what it changed; the last twenty are kept. Of many or
 * long changes a part is told.
 * @throws {ParleyError} `not_found`, `gone`
 */
export async function listCardVersions({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string };
}): Promise<CardVersionView[]> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  return historyCache.get(agent.id);
}

async function compareVersions(agentId: string): Promise<CardVersionView[]> {
  const versions = await selectListedVersions(agentId);
  let budget = maxCharacters;
  return versions.map(({ card, digest, listedAt }, index) => {
    const before = versions[index + 1];
    const all = before ? diffCards(before.card, card) : null;
    const differences = all && takeWithinBudget(all, budget);
    budget -= differences?.reduce((sum, difference) => sum + lengthOf(difference), 0) ?? 0;
    const more = (all?.length ?? 0) - (differences?.length ?? 0);
    return { version: card.version, digest, listedAt: listedAt.toISOString(), differences, more };
  });
}

function takeWithinBudget(all: CardDifference[], budget: number): CardDifference[] {
  const taken: CardDifference[] = [];
  let remaining = budget;
  for (const difference of all.slice(0, maxDifferences).map(truncateDiff)) {
    remaining -= lengthOf(difference);
    if (remaining < 0) break;
    taken.push(difference);
  }
  return taken;
}

function lengthOf({ member, before, after }: CardDifference): number {
  return member.length + (before?.length ?? 0) + (after?.length ?? 0);
}
