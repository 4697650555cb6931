import { type SearchRanking, writeSearchRankings } from '../catalog';
import { bayesianRating, type ScoreInput, scoreParts, totalOf } from './score';
import {
  claimDueRankings,
  markUnranked,
  type RankingRecord,
  selectScoreInputs,
  upsertRankings,
} from './store/rankings';

/** Agents of one round, and those of them that are in memory together: each comes with its card, a mebibyte at most. */
const maxPerRun = 200;
const batchSize = 20;
/** Stands below every score, and below every match of words. */
const maintenancePenalty = -100_000;

/**
 * Computes the standings that are due, each hourly and whenever something it rests on changed, by one node at a time, and
 * lets search rank by them. Answers how many were computed.
 */
export async function computeRankings(now: Date): Promise<number> {
  await markUnranked(now, maxPerRun);
  let computed = 0;
  while (computed < maxPerRun) {
    const count = await computeBatch(now);
    computed += count;
    if (count < batchSize) break;
  }
  return computed;
}

async function computeBatch(now: Date): Promise<number> {
  const agentIds = await claimDueRankings(now, batchSize);
  if (agentIds.length === 0) return 0;
  const inputs = await selectScoreInputs(agentIds, now);
  const rankings = inputs.map(rankingOf);
  await upsertRankings(rankings, now);
  await writeSearchRankings(inputs.map((known, at) => toSearchRanking(known, rankings[at]?.score ?? 0)));
  return agentIds.length;
}

function rankingOf(input: ScoreInput & { agentId: string }): RankingRecord {
  const { agentId, health, rung, checks, good, p50Ms, p95Ms, users, calls, completed, failed, reviews, stars } = input;
  const parts = scoreParts(input);
  return {
    ...{ agentId, health, rung, p50Ms, p95Ms, users, calls },
    uptime: checks === 0 ? null : good / checks,
    success: completed + failed === 0 ? null : completed / (completed + failed),
    rating: reviews === 0 ? null : stars / reviews,
    reviewCount: reviews,
    score: totalOf(parts),
    parts,
  };
}

function toSearchRanking(input: ScoreInput & { agentId: string }, score: number): SearchRanking {
  const { agentId, health, rung, users, reviews, stars } = input;
  return {
    ...{ agentId, health, users },
    isWithheld: rung === 'withheld',
    rank: rung === 'listed' ? score : score + maintenancePenalty,
    rating: reviews === 0 ? 0 : Math.round((stars / reviews) * 100),
    ratingRank: reviews === 0 ? 0 : Math.round(bayesianRating(input) * 100),
  };
}
