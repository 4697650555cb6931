import type { CardReading } from '../protocol/a2a/cards/read-card';
import { summaryFieldsOf } from './card-version';
import { normaliseTag, type PreviewedCard, type SignatureVerdict } from './schema';
import { tagsOfSkills } from './search-row';
import { toSkillView } from './to-wire';

/** What people see of a card before it is listed. */
export function toPreviewedCard(
  { card, endpoints: [endpoint] }: Extract<CardReading, { ok: true }>,
  signature: SignatureVerdict,
): PreviewedCard {
  const shown = summaryFieldsOf({ card, signature });
  return {
    ...shown,
    protocolVersion: endpoint.protocolVersion,
    binding: endpoint.binding,
    endpointUrl: endpoint.url,
    tags: tagsOfSkills(card, normaliseTag),
    skills: card.skills.map((skill) => toSkillView(skill, card)),
  };
}
