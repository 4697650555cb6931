import type { Ctx } from '../platform/context';
import { differencesOf } from './card-differences';
import { findAgent } from './find-agent';
import { requirePerson, requireRole } from './policy';
import type { CardVersionView } from './schema-upkeep';
import { selectVersions } from './store/card-watch';

/**
 * The latest twenty cards of an agent that the person manages, the newest first, each with what was new in it.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`
 */
export async function listVersions({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<CardVersionView[]> {
  const user = requirePerson(ctx.actor, 'agents:read');
  const agent = requireRole(user, await findAgent(input.slug), 'viewer');
  const versions = await selectVersions(agent.id);
  return versions.map(({ digest, fetchedAt, card, state }, index) => {
    const before = versions[index + 1];
    return {
      digest,
      fetchedAt: fetchedAt.toISOString(),
      version: card.version,
      state,
      differences: before ? differencesOf(before.card, card) : [],
    };
  });
}
