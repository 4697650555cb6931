import { isDeepStrictEqual } from 'node:util';
import { type Cache, createCache } from '../../platform/cache';
import type { Ctx } from '../../platform/context';
import type { CoreCard } from '../../protocol/a2a/core/card';
import { findAgent } from '../agents/find-agent';
import { requireVisible } from '../authorization';
import {
  CARD_HISTORY_CACHE_ENTRIES,
  DIFF_CONTEXT,
  MAX_DIFF_TEXT,
  MAX_DIFFERENCES,
  MAX_HISTORY_CHARACTERS,
} from '../limits';
import type { AgentRecord } from '../record';
import type { CardChange, CardDifference, CardVersionView } from '../schema-cards';
import { selectListedVersions } from '../store/card-versions';
import type { CardVersion } from './card-version';

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

// Cached, because the comparison of large cards on each request would be expensive.
const historyCache: Cache<CardVersionView[]> = createCache({
  max: CARD_HISTORY_CACHE_ENTRIES,
  topic: 'agent',
  load: compareVersions,
});

/**
 * Lists the card versions that were listed, newest first, each with its differences from the previous one. Many or long
 * differences are truncated.
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
  return historyCache.get(agent.id);
}

async function compareVersions(agentId: string): Promise<CardVersionView[]> {
  const versions = await selectListedVersions(agentId);
  let budget = MAX_HISTORY_CHARACTERS;
  return versions.map(({ card, digest, listedAt }, index) => {
    const before = versions[index + 1];
    const all = before ? diffCards(before.card, card) : null;
    const differences = all && takeWithinBudget(all, budget);
    budget -= differences?.reduce((sum, difference) => sum + lengthOf(difference), 0) ?? 0;
    const more = (all?.length ?? 0) - (differences?.length ?? 0);
    return { version: card.version, digest, listedAt: listedAt.toISOString(), differences, more };
  });
}

function takeWithinBudget(all: CardDifference[], budget: number): CardDifference[] {
  const taken: CardDifference[] = [];
  let remaining = budget;
  for (const difference of all.slice(0, MAX_DIFFERENCES).map(truncateDiff)) {
    remaining -= lengthOf(difference);
    if (remaining < 0) break;
    taken.push(difference);
  }
  return taken;
}

function lengthOf({ member, before, after }: CardDifference): number {
  return member.length + (before?.length ?? 0) + (after?.length ?? 0);
}
