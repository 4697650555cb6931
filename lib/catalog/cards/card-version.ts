import { newId } from '../../platform/ids';
import { sha256 } from '../../platform/secrets/crypto';
import { truncate } from '../../protocol/a2a/cards/clean-text';
import type { CoreCard } from '../../protocol/a2a/core/card';
import { isPaymentExtension } from '../../protocol/extensions';
import { MAX_DERIVED_TAGS, MAX_SHOWN_DESCRIPTION, MAX_SHOWN_NAME, MAX_SHOWN_VERSION, MAX_TAG_LENGTH } from '../limits';
import type { AgentRecord, CardVersion } from '../record';
import type { Badge } from '../schema';
import type { SignatureVerdict } from '../schema-cards';
import { normalizeTag } from '../schema-registration';
import type { CheckedCard } from './check-card';

/** Creates a version with a new id from a card that was fetched and checked. */
export function toCardVersion(checked: CheckedCard, card: CoreCard, fetchedAt: Date): CardVersion {
  const { bytes, cardUrl, signature, validators } = checked;
  return { id: newId('ver'), digest: sha256(bytes), cardUrl, bytes, card, signature, fetchedAt, validators };
}

/**
 * Returns the card's texts, truncated, and its badges, as the agent's row stores them. The store adds the badge
 * `verified`.
 */
export function summaryFieldsOf({
  card,
  signature,
}: Pick<CardVersion, 'card' | 'signature'>): Pick<AgentRecord, 'name' | 'description' | 'version' | 'badges'> {
  return {
    name: truncate(card.name, MAX_SHOWN_NAME),
    description: truncate(card.description, MAX_SHOWN_DESCRIPTION),
    version: truncate(card.version, MAX_SHOWN_VERSION),
    badges: badgesOf(card, signature),
  };
}

/** Returns the badges that result from the card and its signature. */
export function badgesOf(card: CoreCard, signature: SignatureVerdict): Badge[] {
  const badges: Badge[] = [];
  if (Object.keys(card.securitySchemes).length > 0) badges.push('authenticated');
  if (card.capabilities.extensions.some(({ uri }) => isPaymentExtension(uri))) badges.push('payments');
  if (card.capabilities.streaming) badges.push('streaming');
  if (card.capabilities.pushNotifications) badges.push('push-notifications');
  if (signature.state === 'verified') badges.push('signed');
  return badges;
}

/** Returns the default tags of a listing: the first tags of the card's skills. */
export function tagsOfSkills(card: CoreCard): string[] {
  const tags = card.skills
    .flatMap((skill) => skill.tags.map(normalizeTag))
    .filter((tag) => tag !== '' && tag.length <= MAX_TAG_LENGTH);
  return [...new Set(tags)].slice(0, MAX_DERIVED_TAGS);
}
