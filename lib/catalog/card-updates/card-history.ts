import { type Cache, createCache } from '../../platform/cache';
import type { Ctx } from '../../platform/context';
import { findAgent } from '../agents/find-agent';
import { requireVisible } from '../authorization';
import { diffCards, truncateDiff } from '../cards/card-version';
import { CARD_HISTORY_CACHE_ENTRIES, MAX_DIFFERENCES, MAX_HISTORY_CHARACTERS } from '../limits';
import type { CardDifference, CardVersionView } from '../schema-cards';
import { selectListedVersions } from '../store/card-rows';

// Cards may be large, so the versions are compared once, not per request.
const historyCache: Cache<CardVersionView[]> = createCache({
  max: CARD_HISTORY_CACHE_ENTRIES,
  topic: 'agent',
  load: compareVersions,
});

/**
 * Returns the card versions that were listed, newest first, each with its differences from the one before. Many or long
 * differences are truncated.
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
  let budget = MAX_HISTORY_CHARACTERS;
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
  for (const difference of all.slice(0, MAX_DIFFERENCES).map(truncateDiff)) {
    remaining -= lengthOf(difference);
    if (remaining < 0) break;
    taken.push(difference);
  }
  return taken;
}

function lengthOf({ member, before, after }: CardDifference): number {
  return member.length + (before?.length ?? 0) + (after?.length ?? 0);
}
