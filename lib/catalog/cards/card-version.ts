import { isDeepStrictEqual } from 'node:util';
import { newId } from '../../platform/ids';
import { sha256 } from '../../platform/secrets/crypto';
import { truncate } from '../../protocol/a2a/cards/clean-text';
import type { CoreCard } from '../../protocol/a2a/core/card';
import { isPaymentExtension } from '../../protocol/extensions';
import {
  DIFF_CONTEXT,
  MAX_DERIVED_TAGS,
  MAX_DIFF_TEXT,
  MAX_SHOWN_DESCRIPTION,
  MAX_SHOWN_NAME,
  MAX_SHOWN_VERSION,
  MAX_TAG_LENGTH,
} from '../limits';
import type { AgentRecord, CardVersion } from '../record';
import type { Badge } from '../schema';
import type { CardChange, CardDifference, SignatureVerdict } from '../schema-cards';
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

/** Returns the members that are compared individually. A skill is identified by its id. */
function entriesOf({ skills, capabilities, ...card }: CoreCard): Map<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(card),
    ...Object.entries(capabilities).map(([name, value]): [string, unknown] => [`capabilities.${name}`, value]),
    ...skills.map((skill): [string, unknown] => [`skills.${skill.id}`, skill]),
  ]);
}

/** Returns the members that differ in a newer card: first those of the listed card in order, then new ones. */
export function diffCards(listed: CoreCard, newer: CoreCard): CardDifference[] {
  const [before, after] = [entriesOf(listed), entriesOf(newer)];
  const members = [...new Set([...before.keys(), ...after.keys()])];
  return members
    .filter((member) => !isDeepStrictEqual(before.get(member), after.get(member)))
    .map((member) => ({ member, before: textOf(before.get(member)), after: textOf(after.get(member)) }));
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value, withoutEmpty, 2);
}

function withoutEmpty(_name: string, value: unknown): unknown {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value;
}

/** Returns the difference with long texts truncated to an excerpt around the first change. */
export function truncateDiff({ member, before, after }: CardDifference): CardDifference {
  const [from, to] = [before ?? '', after ?? ''];
  if (from.length <= MAX_DIFF_TEXT && to.length <= MAX_DIFF_TEXT) return { member, before, after };
  const start = Math.max(0, commonPrefixLength(from, to) - DIFF_CONTEXT);
  return { member, before: before && excerptFrom(before, start), after: after && excerptFrom(after, start) };
}

function commonPrefixLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

function excerptFrom(text: string, start: number): string {
  const [prefix, suffix] = [start > 0 ? '…' : '', start + MAX_DIFF_TEXT < text.length ? '…' : ''];
  return `${prefix}${text.slice(start, start + MAX_DIFF_TEXT).toWellFormed()}${suffix}`;
}

/**
 * Returns the reasons why a newer card requires approval: its calls go to a new host, or the verified signing key
 * changed.
 */
export function changesOf(
  listed: Pick<AgentRecord, 'card' | 'signature'>,
  newer: Pick<CardVersion, 'card' | 'signature'>,
): CardChange[] {
  const changes: CardChange[] = [];
  const [expected, found] = [hostsOf(listed.card), hostsOf(newer.card)];
  if (found.some((host) => !expected.includes(host))) changes.push({ what: 'host', found, expected });
  const key = listed.signature.state === 'verified' ? listed.signature.keyThumbprint : null;
  const newerKey = newer.signature.state === 'verified' ? newer.signature.keyThumbprint : null;
  if (key !== null && newerKey !== key) changes.push({ what: 'key', found: newer.signature });
  return changes;
}

function hostsOf(card: AgentRecord['card']): string[] {
  return [...new Set(card.interfaces.map(({ url }) => (URL.canParse(url) ? new URL(url).host : url)))].sort();
}
