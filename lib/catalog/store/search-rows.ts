import { deleteVectors, markVectorsDue } from '../../embeddings';
import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { execute, executeIn } from '../../platform/db/sql';
import { truncate } from '../../protocol/a2a/cards/clean-text';
import type { CoreSkill } from '../../protocol/a2a/core/card';
import {
  MAX_INDEXED_SKILLS,
  MAX_INDEXED_TEXT,
  MAX_INDEXED_TOKENS,
  MAX_SHOWN_SKILL_NAME,
  MAX_SKILL_WORDS,
  MAX_VOCABULARY,
} from '../limits';
import { foldText, type SearchToken, tokensOf } from '../names/folded-text';
import { type AgentRecord, priceSummaryOf } from '../record';
import type { PriceSummary } from '../schema-prices';

/** A row of table `agent_search`. */
interface SearchRow {
  agentId: string;
  /** The folded name, for exact matches, prefix matches and the order by name. */
  nameKey: string;
  /**
   * A tsvector in text form, without positions. It contains every word; words of the name also with the prefix `n:`,
   * and words of name, skills and tags also with the prefix `s:`.
   */
  document: string;
  /** The words that typo tolerance matches: at least three characters, only letters, no script without spaces. */
  vocabulary: string[];
  skillNames: string[];
  /** The folded words of each skill, in the order of `skillNames`, separated and enclosed by spaces. */
  skillWords: string[];
  tags: string[];
  badges: string[];
  createdAt: Date;
  ownerId: string;
  updatedAt: Date;
  price: PriceSummary;
}

type IndexedAgent = Omit<AgentRecord, 'endpoints' | 'callLimits' | 'notice' | 'holdsCards' | 'iconDigest' | 'team'>;

/** Writes the search row of an agent and marks its vectors as due. If `agent` is null, deletes both. */
export async function writeSearchRow(tx: Db, agentId: string, agent: IndexedAgent | null): Promise<void> {
  if (!agent) {
    await executeIn(tx, Prisma.sql`DELETE FROM agent_search WHERE agent_id = ${agentId}`);
    await deleteVectors(tx, agentId);
    return;
  }
  const search = toSearchRow(agent);
  await executeIn(
    tx,
    Prisma.sql`
    INSERT INTO agent_search
      (agent_id, name_key, document, skill_names, skill_words, tags, badges, created_at, owner_id,
       updated_at, price_kind, price_amount, price_currency, price_unit, price_per)
    VALUES
      (${agentId}, ${search.nameKey}, ${search.document}::tsvector, ${search.skillNames}, ${search.skillWords}, ${search.tags},
       ${search.badges}, ${search.createdAt}, ${search.ownerId}, ${search.updatedAt},
       ${search.price.kind}, ${search.price.amount}::int, ${search.price.currency}, ${search.price.unit}, ${search.price.per}::int)
    ON CONFLICT (agent_id) DO UPDATE SET
      name_key = EXCLUDED.name_key, document = EXCLUDED.document, skill_names = EXCLUDED.skill_names,
      skill_words = EXCLUDED.skill_words, tags = EXCLUDED.tags, badges = EXCLUDED.badges,
      owner_id = EXCLUDED.owner_id, updated_at = EXCLUDED.updated_at, price_kind = EXCLUDED.price_kind,
      price_amount = EXCLUDED.price_amount, price_currency = EXCLUDED.price_currency,
      price_unit = EXCLUDED.price_unit, price_per = EXCLUDED.price_per`,
  );
  const { vocabulary } = search;
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO agent_search_word SELECT unnest(${vocabulary}::text[]) ON CONFLICT DO NOTHING`,
  );
  await markVectorsDue(tx, agentId, search.updatedAt);
}

function toSearchRow(agent: IndexedAgent): SearchRow {
  const { card } = agent;
  const skills = card.skills.slice(0, MAX_INDEXED_SKILLS);
  const name = tokensIn([card.name]);
  const headings = tokensIn([...agent.tags, ...skills.flatMap((skill) => [skill.name, ...skill.tags])]);
  const texts = tokensIn([
    card.description,
    card.provider?.organization ?? '',
    ...skills.flatMap((skill) => [skill.description, ...skill.examples]),
  ]);
  const all = [...name, ...headings, ...texts].slice(0, MAX_INDEXED_TOKENS);
  const lexemes = new Set([
    ...name.map(({ text }) => `n:${text}`),
    ...[...name, ...headings].slice(0, MAX_INDEXED_TOKENS).map(({ text }) => `s:${text}`),
    ...all.map(({ text }) => text),
  ]);
  return {
    agentId: agent.id,
    nameKey: foldText(agent.name),
    document: [...lexemes].map((lexeme) => `'${lexeme}'`).join(' '),
    vocabulary: vocabularyOf(all),
    skillNames: skills.map((skill) => truncate(skill.name, MAX_SHOWN_SKILL_NAME)),
    skillWords: skills.map(wordsOfSkill),
    tags: agent.tags,
    badges: agent.badges,
    createdAt: agent.createdAt,
    ownerId: agent.ownerId,
    updatedAt: agent.updatedAt,
    price: priceSummaryOf(agent),
  };
}

function tokensIn(texts: string[]): SearchToken[] {
  return texts.flatMap((text) => tokensOf(text.slice(0, MAX_INDEXED_TEXT), { singles: true }));
}

// Sorted, so that concurrent inserts of the same words cannot deadlock.
function vocabularyOf(tokens: SearchToken[]): string[] {
  const words = tokens
    .filter(({ text, isPair }) => !isPair && /^[\p{L}\p{M}]{3,40}$/u.test(text))
    .map(({ text }) => text);
  return [...new Set(words)].slice(0, MAX_VOCABULARY).sort();
}

function wordsOfSkill({ name, description, tags, examples }: CoreSkill): string {
  const text = [name, description, ...tags, ...examples].join(' ').slice(0, MAX_INDEXED_TEXT);
  const words = new Set(tokensOf(text, { singles: true }).map((token) => token.text));
  return ` ${[...words].join(' ').slice(0, MAX_SKILL_WORDS)} `;
}

/** The ranking columns of a search row, which lib/discovery computes. */
export interface SearchRanking {
  agentId: string;
  health: string;
  isWithheld: boolean;
  /** Sort key of the order by score. */
  rank: number;
  users: number;
  /** Mean rating, hundredths of a star. */
  rating: number;
  ratingRank: number;
}

/** Updates the ranking columns of existing search rows. Does not write unchanged rows. */
export async function writeSearchRankings(rankings: SearchRanking[]): Promise<void> {
  const column = <Key extends keyof SearchRanking>(key: Key): SearchRanking[Key][] => rankings.map((row) => row[key]);
  await execute(
    'write-search-rankings',
    `UPDATE agent_search s SET health = n.health, is_withheld = n.is_withheld, rank = n.rank, users = n.users,
       rating = n.rating, rating_rank = n.rating_rank, is_ranked = true
     FROM unnest($1::text[], $2::text[], $3::bool[], $4::int[], $5::int[], $6::int[], $7::int[])
       AS n(agent_id, health, is_withheld, rank, users, rating, rating_rank)
     WHERE s.agent_id = n.agent_id AND (s.health, s.is_withheld, s.rank, s.users, s.rating, s.rating_rank, s.is_ranked)
       IS DISTINCT FROM (n.health, n.is_withheld, n.rank, n.users, n.rating, n.rating_rank, true)`,
    [
      column('agentId'),
      column('health'),
      column('isWithheld'),
      column('rank'),
      column('users'),
      column('rating'),
      column('ratingRank'),
    ],
  );
}
