import type { SearchPage, SearchResult } from '@/lib/discovery/schema';
import tuning from '../fixtures/search-eval/tuning.json';
import { outOfDomainTasks } from './out-of-domain';
import { type EvaluationQuery, evaluationQueries } from './search-evaluation';

/** A search text with the agents that answer it; none for a task that no agent can do. */
export type JudgedQuery = Pick<EvaluationQuery, 'kind' | 'q' | 'relevant'>;

/** Divides a list: every second of a kind is held out, so that both halves have the same kinds. */
function halve<Item extends { kind: string }>(items: Item[]): { tuning: Item[]; heldOut: Item[] } {
  const places = new Map<string, number>();
  const isHeldOut = items.map(({ kind }) => {
    const place = places.get(kind) ?? 0;
    places.set(kind, place + 1);
    return place % 2 === 1;
  });
  return { tuning: items.filter((_, at) => !isHeldOut[at]), heldOut: items.filter((_, at) => isHeldOut[at]) };
}

const queries = halve<JudgedQuery>(evaluationQueries);
const tasks = halve<JudgedQuery>(outOfDomainTasks.map((q) => ({ kind: 'out of domain', q, relevant: {} })));
const written: JudgedQuery[] = tuning.map(({ kind, q, relevant }) => ({
  ...{ kind, q },
  relevant: Object.fromEntries(Object.entries(relevant).flatMap(([id, value]) => (value ? [[id, value]] : []))),
}));

/** The search texts that set the thresholds, and the tasks that no agent can do. */
export const tuningHalf = { queries: [...queries.tuning, ...written], tasks: tasks.tuning };
/** The search texts and tasks on which no computed threshold depends. */
export const heldOutHalf = { queries: queries.heldOut, tasks: tasks.heldOut };

/** A search with its results. */
export interface JudgedPage {
  query: JudgedQuery;
  page: SearchPage;
  /** Ids of the cards of the results. */
  ids: string[];
}

/** The first result of a search, and whether it answers the text. */
interface First {
  item: SearchResult;
  isRelevant: boolean;
  relevance: number;
  distance: number;
}

function firstsOf(pages: JudgedPage[]): First[] {
  return pages.flatMap(({ query, page, ids }) => {
    const [item] = page.items;
    if (!item) return [];
    const { semantic, words, distance } = item.match ?? { semantic: null, words: 0, distance: 0 };
    const isRelevant = query.relevant[ids[0] ?? ''] !== undefined;
    return [{ item, isRelevant, relevance: (semantic ?? 0) + 0.25 * words, distance }];
  });
}

/** What the levels of a list of searches are worth. Shares are from 0 to 1. */
export interface FitFigures {
  searches: number;
  /** Number of results that fit, and the share of them that are relevant. */
  fitting: number;
  precision: number;
  /** Share of the relevant first results that fit, and that fit or might fit. */
  recall: number;
  recallWithPossible: number;
  /** Share of the searches for which nothing fits or might fit. */
  nothing: number;
}

export function measureFit(pages: JudgedPage[]): FitFigures {
  const fitting = pages.flatMap(({ query, page, ids }) =>
    page.items.flatMap(({ fit }, at) => (fit === 'fits' ? [query.relevant[ids[at] ?? ''] !== undefined] : [])),
  );
  const relevant = firstsOf(pages).filter(({ isRelevant }) => isRelevant);
  const share = (part: number, all: number): number => Math.round((1_000 * part) / Math.max(1, all)) / 1_000;
  return {
    searches: pages.length,
    fitting: fitting.length,
    precision: share(fitting.filter(Boolean).length, fitting.length),
    recall: share(relevant.filter(({ item }) => item.fit === 'fits').length, relevant.length),
    recallWithPossible: share(relevant.filter(({ item }) => item.fit !== 'closest').length, relevant.length),
    nothing: share(pages.filter(({ page }) => page.isWeak || page.items.length === 0).length, pages.length),
  };
}

/** Minimum relevance and distance. */
export interface Threshold {
  relevance: number;
  distance: number;
}

const relevances = Array.from({ length: 26 }, (_, at) => (30 + 2 * at) / 100);
const distances = Array.from({ length: 41 }, (_, at) => (20 + at) / 10);

/** Share of the fitting first results that must be relevant, and out-of-domain tasks that may fit. */
const minPrecision = 0.96;
const maxTasks = 1;
/** Share of the relevant first results that must fit or might fit. */
const minPossible = 0.9;

/** Computes the thresholds of lib/discovery/ranking/fit.ts from searches and out-of-domain tasks. */
export function calibrate(
  searches: JudgedPage[],
  tasks: JudgedPage[],
): { fits: Threshold; fitsAtAnyDistance: number; mightFit: Threshold } {
  const firsts = firstsOf(searches);
  const relevant = firsts.filter(({ isRelevant }) => isRelevant).length;
  const outside = firstsOf(tasks);
  const outcomes = [-Infinity, ...distances].flatMap((distance) =>
    relevances.map((relevance) => {
      const reaches = (first: First): boolean => first.relevance >= relevance && first.distance >= distance;
      const reached = firsts.filter(reaches);
      const right = reached.filter(({ isRelevant }) => isRelevant).length;
      return { relevance, distance, right, precision: right / reached.length, tasks: outside.filter(reaches).length };
    }),
  );
  type Outcome = (typeof outcomes)[number];
  // Of equal thresholds, the strictest.
  const stricter = (a: Outcome, b: Outcome): number => b.relevance - a.relevance || b.distance - a.distance;
  const mostRight = (list: Outcome[]): Outcome => pick(list, (a, b) => b.right - a.right || stricter(a, b));
  const precise = outcomes.filter((each) => each.precision >= minPrecision);
  const fits = mostRight(precise.filter((each) => each.tasks <= maxTasks && each.distance > 0));
  const atAnyDistance = mostRight(precise.filter((each) => each.tasks === 0 && each.distance < 0));
  const possible = outcomes.filter((each) => each.right >= minPossible * relevant && each.distance > 0);
  const mightFit = pick(possible, (a, b) => a.tasks - b.tasks || b.precision - a.precision || stricter(a, b));
  return { fits: toThreshold(fits), fitsAtAnyDistance: atAnyDistance.relevance, mightFit: toThreshold(mightFit) };
}

function pick<Item>(list: Item[], compare: (a: Item, b: Item) => number): Item {
  const [best] = [...list].sort(compare);
  if (!best) throw new Error('no threshold meets the conditions');
  return best;
}

function toThreshold({ relevance, distance }: Threshold): Threshold {
  return { relevance, distance };
}
