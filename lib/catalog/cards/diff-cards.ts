import { isDeepStrictEqual } from 'node:util';
import type { CoreCard } from '../../protocol/a2a/core/card';
import { DIFF_CONTEXT, MAX_DIFF_TEXT } from '../limits';
import type { AgentRecord, CardVersion } from '../record';
import type { CardChange, CardDifference } from '../schema-cards';

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
