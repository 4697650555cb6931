import type { SummarySource } from '../../catalog';
import type { EscalationStage, Health, RankingSummary } from '../schema-rankings';

/** An agent of a list with its ranking. */
export interface RankedAgent {
  agent: SummarySource;
  ranking: RankingSummary;
}

/** The columns of {@link AgentSummaryRow}, from agent `a` and `agent_ranking` `t`. */
export const summaryColumns = `a.slug, a.name, a.description, a.version, a.tags, a.visibility, a.status, a.badges, a.icon_digest,
  a.updated_at, t.health, t.stage, t.users, t.rating, t.review_count,
  CASE WHEN t.computed_at IS NOT NULL THEN t.score END AS ranking_score`;

/** A row of {@link summaryColumns} with the agent's id. Times are dates, or strings in JSON. */
export interface AgentSummaryRow extends Omit<SummarySource, 'id' | 'updatedAt' | 'iconDigest'> {
  agent_id: string;
  updated_at: Date | string;
  icon_digest: string | null;
  health: Health | null;
  stage: EscalationStage | null;
  users: number | null;
  rating: number | null;
  review_count: number | null;
  ranking_score: number | null;
}

/** Maps a row of a list. */
export function toRankedAgent(row: AgentSummaryRow): RankedAgent {
  const { agent_id, updated_at, icon_digest, health, stage, users, rating, review_count, ranking_score, ...agent } =
    row;
  return {
    agent: { ...agent, id: agent_id, updatedAt: new Date(updated_at), iconDigest: icon_digest },
    ranking: {
      health: health ?? 'unknown',
      score: ranking_score,
      users: users ?? 0,
      rating: rating === null ? null : { average: rating, count: review_count ?? 0 },
      isUnderMaintenance: stage !== null && stage !== 'listed',
    },
  };
}
