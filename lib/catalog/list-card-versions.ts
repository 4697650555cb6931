import type { Ctx } from '../platform/context';
import { differencesOf } from './card-differences';
import { findAgent } from './find-agent';
import { requireVisible } from './policy';
import type { CardVersionView } from './schema';
import { selectListedVersions } from './store/card-versions';

/**
 * The cards that an agent was listed with, the latest first, each with what it changed; the last twenty are kept.
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
  const versions = await selectListedVersions(agent.id);
  return versions.map(({ card, digest, listedAt }, index) => {
    const before = versions[index + 1];
    const differences = before ? differencesOf(before.card, card) : null;
    return { version: card.version, digest, listedAt: listedAt.toISOString(), differences };
  });
}
