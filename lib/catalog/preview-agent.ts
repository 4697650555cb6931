import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import type { CardReading } from '../protocol/a2a/cards/read-card';
import { badgesOf } from './badges';
import { locateCard } from './card-location';
import { checkCard, otherOriginOf } from './check-card';
import { urlTaken } from './errors';
import { fetchCard } from './fetch-card';
import { findLookAlike } from './find-look-alike';
import { REGISTRATION_LIMIT } from './limits';
import { sourceOf, withFixes } from './lint-card';
import { hasRole, requirePerson } from './policy';
import {
  type AgentPreview,
  normaliseTag,
  type PreviewedCard,
  type PreviewInput,
  type SignatureVerdict,
} from './schema';
import { tagsOfSkills } from './search-row';
import { freeSlug, slugOf } from './slug';
import { selectAgentByUrl, selectSlugsLike } from './store/agents';
import { toSkillView } from './to-wire';

/**
 * What registering an address would do, with every fault and warning of its card. Nothing is stored.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`, `url_refused`, `card_unreachable`,
 *   `agent_url_taken`
 */
export async function previewAgent({ ctx, input }: { ctx: Ctx; input: PreviewInput }): Promise<AgentPreview> {
  const user = requirePerson(ctx.actor, 'agents:write');
  const location = locateCard(input.url);
  await consume(REGISTRATION_LIMIT, user.userId, ctx.now);
  const known = await selectAgentByUrl(location.url);
  if (known && !hasRole(user, known, 'developer')) throw urlTaken();
  const checked = await checkCard(await fetchCard(location, ctx.signal), location, ctx);
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
    looksLike: named ? await findLookAlike(named) : null,
    isListed: known !== null && known.status !== 'withdrawn',
    otherOrigin: otherOriginOf(checked),
  };
}

async function nextSlug(name: string): Promise<string> {
  const slug = slugOf(name);
  return freeSlug(slug, await selectSlugsLike(slug));
}

/** What people see of a card before it is listed. */
export function toPreviewedCard(
  { card, endpoints: [endpoint] }: Extract<CardReading, { ok: true }>,
  signature: SignatureVerdict,
): PreviewedCard {
  return {
    name: card.name,
    description: card.description,
    version: card.version,
    protocolVersion: endpoint.protocolVersion,
    binding: endpoint.binding,
    endpointUrl: endpoint.url,
    badges: badgesOf(card, signature),
    tags: tagsOfSkills(card, normaliseTag),
    skills: card.skills.map((skill) => toSkillView(skill, card)),
  };
}
