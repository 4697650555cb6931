import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import { locateCard } from './card-location';
import { checkCard, otherOriginOf } from './check-card';
import { urlTaken } from './errors';
import { fetchCard } from './fetch-card';
import { findLookalike } from './find-lookalike';
import { sourceOf, withFixes } from './lint-card';
import { hasRole, requireUser } from './policy';
import { REGISTRATION_LIMIT } from './rate-limits';
import type { AgentPreview, PreviewInput } from './schema';
import { freeSlug, slugOf } from './slug';
import { selectAgentByUrl, selectSlugsLike } from './store/agents';
import { toPreviewedCard } from './to-previewed-card';

/**
 * What registering an address would do, with every fault and warning of its card. Nothing is stored.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`, `url_refused`, `card_unreachable`,
 *   `agent_url_taken`
 */
export async function previewAgent({ ctx, input }: { ctx: Ctx; input: PreviewInput }): Promise<AgentPreview> {
  const user = requireUser(ctx.actor, 'agents:write');
  const candidates = locateCard(input.url);
  await consume(REGISTRATION_LIMIT, user.userId, ctx.now);
  const fetched = await fetchCard(candidates, ctx.signal);
  const known = await selectAgentByUrl(fetched.listedUrl);
  if (known && !hasRole(user, known, 'developer')) throw urlTaken();
  const checked = await checkCard(fetched, ctx);
  const { reading, cardUrl, signature } = checked;
  const slug = known?.slug ?? (reading.ok ? await nextSlug(reading.card.name) : null);
  const named = reading.ok && slug !== null && { id: known?.id, ownerId: user.userId, name: reading.card.name, slug };
  const source = sourceOf(checked.bytes);
  return {
    cardUrl,
    card: reading.ok ? toPreviewedCard(reading, signature) : null,
    faults: reading.ok ? [] : withFixes(source, reading.faults),
    warnings: withFixes(source, reading.warnings),
    source: reading.ok && reading.warnings.length === 0 ? null : source,
    slug,
    looksLike: named ? await findLookalike(named) : null,
    isListed: known !== null && known.status !== 'withdrawn',
    otherOrigin: otherOriginOf(checked),
  };
}

async function nextSlug(name: string): Promise<string> {
  const slug = slugOf(name);
  return freeSlug(slug, await selectSlugsLike(slug));
}
