import { isDeepStrictEqual } from 'node:util';
import type { CoreCard } from '../protocol/a2a/core/card';
import type { CardDifference } from './schema';

/** What stands in a card of what a person reads one by one; skills are told apart by their ids. */
function entriesOf({ skills, capabilities, ...card }: CoreCard): Map<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(card),
    ...Object.entries(capabilities).map(([name, value]): [string, unknown] => [`capabilities.${name}`, value]),
    ...skills.map((skill): [string, unknown] => [`skills.${skill.id}`, skill]),
  ]);
}

/** What is different in a newer card: changed members in their order, then what is new. Absent values are null. */
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

/** What has no value says nothing to a reader. */
function withoutEmpty(_name: string, value: unknown): unknown {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value;
}

/** What is left of a long text, and how much of it stands before its first change, in characters. */
const maxTextLength = 2_000;
const contextLength = 200;

/** The same difference, with long texts cut to where the first change is. */
export function truncateDiff({ member, before, after }: CardDifference): CardDifference {
  const [from, to] = [before ?? '', after ?? ''];
  if (from.length <= maxTextLength && to.length <= maxTextLength) return { member, before, after };
  const start = Math.max(0, commonPrefixLength(from, to) - contextLength);
  return { member, before: before && excerptFrom(before, start), after: after && excerptFrom(after, start) };
}

function commonPrefixLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function excerptFrom(text: string, start: number): string {
  const [lead, rest] = [start > 0 ? '…' : '', start + maxTextLength < text.length ? '…' : ''];
  return `${lead}${text.slice(start, start + maxTextLength).toWellFormed()}${rest}`;
}
