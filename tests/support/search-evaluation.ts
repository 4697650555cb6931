import cards from '../fixtures/search-eval/cards.json';
import queries from '../fixtures/search-eval/queries.json';
import type { SeededAgent } from './seed-agents';

/** A search text with the agents that answer it. */
export interface EvaluationQuery {
  kind: string;
  q: string;
  /** By id of the card: 2 for the right answer, 1 for an acceptable one. */
  relevant: Record<string, number>;
  overlap: string[];
}

export interface EvaluationCard {
  id: string;
  name: string;
  description: string;
  skills: { id: string; name: string; description: string; tags: string[]; examples: string[] }[];
}

export const evaluationCards: EvaluationCard[] = cards;
export const evaluationQueries: EvaluationQuery[] = queries.map(({ relevant, ...query }) => ({
  ...query,
  relevant: Object.fromEntries(
    Object.entries(relevant).filter((entry): entry is [string, number] => entry[1] !== undefined),
  ),
}));

export function toSeed({ name, description, skills }: EvaluationCard): SeededAgent {
  return { name, description, skills, tags: skills.flatMap(({ tags }) => tags).slice(0, 10) };
}

/** The results of a search as card ids, the best first. */
export interface Ranking {
  query: EvaluationQuery;
  ids: string[];
}

/** Normalized discounted cumulative gain of the first ten. */
export function ndcg({ query, ids }: Ranking): number {
  const gains = (values: number[]): number =>
    values.slice(0, 10).reduce((sum, value, at) => sum + (2 ** value - 1) / Math.log2(at + 2), 0);
  const ideal = Object.values(query.relevant).sort((a, b) => b - a);
  return gains(ids.map((id) => query.relevant[id] ?? 0)) / gains(ideal);
}

/** Share of the relevant agents among the first five. */
export function recall({ query, ids }: Ranking): number {
  const relevant = Object.keys(query.relevant);
  return relevant.filter((id) => ids.slice(0, 5).includes(id)).length / relevant.length;
}

/** One over the place of the first relevant agent. */
export function reciprocalRank({ query, ids }: Ranking): number {
  const place = ids.findIndex((id) => query.relevant[id] !== undefined);
  return place < 0 ? 0 : 1 / (place + 1);
}

export function meanOf(rankings: Ranking[], measure: (ranking: Ranking) => number): number {
  return rankings.reduce((sum, ranking) => sum + measure(ranking), 0) / rankings.length;
}
