import { LRUCache } from 'lru-cache';
import { int8, row, text } from '../../platform/db/rows';
import { CACHED_WORDS, FREQUENCY_TTL_MS, MAX_COUNTED_FREQUENCY } from '../limits';
import { anyQuery } from '../terms/terms';

interface FrequencyCache {
  /** Agents with a word. */
  words: LRUCache<string, number>;
  /** All agents. */
  agents: { count: number; readAt: number };
}

const cache: FrequencyCache = {
  words: new LRUCache<string, number>({ max: CACHED_WORDS, ttl: FREQUENCY_TTL_MS }),
  agents: { count: 0, readAt: Number.NEGATIVE_INFINITY },
};

const frequencyRow = row({ word: text(), agents: int8() });
const countRow = row({ agents: int8() });

/**
 * Returns the number of public agents, and for each word the number of agents with any of its forms, at most {@link
 * MAX_COUNTED_FREQUENCY}. `forms` contains the forms by word.
 */
export async function selectFrequencies(
  forms: Map<string, string[]>,
): Promise<{ agents: number; of: Map<string, number> }> {
  const { words: known } = cache;
  const words = [...forms.keys()];
  const missing = words.filter((word) => !known.has(word));
  const of = new Map(words.map((word) => [word, known.get(word) ?? 0]));
  if (missing.length > 0) {
    const rows = await frequencyRow.query(
      'word-frequencies',
      `SELECT w.word, (SELECT count(*) FROM (
           SELECT FROM agent_search WHERE document @@ w.query::tsquery LIMIT ${MAX_COUNTED_FREQUENCY}) s) AS agents
       FROM unnest($1::text[], $2::text[]) AS w(word, query)`,
      [missing, missing.map((word) => anyQuery(forms.get(word) ?? [word], ''))],
    );
    for (const { word, agents } of rows) {
      of.set(word, agents);
      // The next agent may contain a word that no agent contains yet.
      if (agents > 0) known.set(word, agents);
    }
  }
  return { agents: await countAgents(), of };
}

const wordRow = row({ word: text() });

/** Returns the subset of the words that agents contain. Words with digits or signs are missing. */
export async function selectIndexedWords(words: string[]): Promise<Set<string>> {
  const rows = await wordRow.query('indexed-words', 'SELECT word FROM agent_search_word WHERE word = ANY($1::text[])', [
    words,
  ]);
  return new Set(rows.map(({ word }) => word));
}

async function countAgents(): Promise<number> {
  const { agents } = cache;
  if (performance.now() - agents.readAt > FREQUENCY_TTL_MS) {
    const found = await countRow.queryFirst('search-size', 'SELECT count(*) AS agents FROM agent_search');
    agents.count = found?.agents ?? 0;
    agents.readAt = performance.now();
  }
  return agents.count;
}
