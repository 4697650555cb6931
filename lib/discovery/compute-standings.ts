import { type SearchStanding, writeSearchStandings } from '../catalog';
import { type Facts, ratingDrawn, scoreParts, totalOf } from './score';
import { claimDueStandings, markUnranked, type StandingRecord, selectFacts, upsertStandings } from './store/standings';

/** Agents of one round, and those of them that are in memory together: each comes with its card, a mebibyte at most. */
const perRound = 200;
const atOnce = 20;
/** Stands below every score, and below every match of words. */
const maintenanceRank = -100_000;

/**
 * Computes the standings that are due, each hourly and whenever something it rests on changed, by one node at a time, and
 * lets search rank by them. Answers how many were computed.
 */
export async function computeStandings(now: Date): Promise<number> {
  await markUnranked(now, perRound);
  let computed = 0;
  while (computed < perRound) {
    const some = await computeSome(now);
    computed += some;
    if (some < atOnce) break;
  }
  return computed;
}

async function computeSome(now: Date): Promise<number> {
  const agentIds = await claimDueStandings(now, atOnce);
  if (agentIds.length === 0) return 0;
  const facts = await selectFacts(agentIds, now);
  const standings = facts.map(standingOf);
  await upsertStandings(standings, now);
  await writeSearchStandings(facts.map((known, at) => toSearchStanding(known, standings[at]?.score ?? 0)));
  return agentIds.length;
}

function standingOf(facts: Facts & { agentId: string }): StandingRecord {
  const { agentId, health, rung, checks, good, p50Ms, p95Ms, users, calls, completed, failed, reviews, stars } = facts;
  const parts = scoreParts(facts);
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

function toSearchStanding(facts: Facts & { agentId: string }, score: number): SearchStanding {
  const { agentId, health, rung, users, reviews, stars } = facts;
  return {
    ...{ agentId, health, users },
    isWithheld: rung === 'withheld',
    rank: rung === 'listed' ? score : score + maintenanceRank,
    rating: reviews === 0 ? 0 : Math.round((stars / reviews) * 100),
    ratingRank: reviews === 0 ? 0 : Math.round(ratingDrawn(facts) * 100),
  };
}
