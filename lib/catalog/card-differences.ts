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
export function differencesOf(listed: CoreCard, newer: CoreCard): CardDifference[] {
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
