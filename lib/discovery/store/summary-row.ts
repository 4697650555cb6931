import type { SummarySource } from '../../catalog';
import type { EscalationStage, Health, RankingSummary } from '../schema';

/** What a list shows of one agent. */
export interface RankedAgent {
  agent: SummarySource;
  standing: RankingSummary;
}

/** The columns of `summaryColumns` (search-sql.ts) and the agent's id; times as dates, or as JSON writes them. */
export interface AgentSummaryRow extends Omit<SummarySource, 'id' | 'updatedAt' | 'iconDigest'> {
  agent_id: string;
  updated_at: Date | string;
  icon_digest: string | null;
  health: Health | null;
  rung: EscalationStage | null;
  users: number | null;
  rating: number | null;
  review_count: number | null;
  standing_score: number | null;
}

export function toRankedAgent(row: AgentSummaryRow): RankedAgent {
  const { agent_id, updated_at, icon_digest, health, rung, users, rating, review_count, standing_score, ...agent } =
    row;
  return {
    agent: { ...agent, id: agent_id, updatedAt: new Date(updated_at), iconDigest: icon_digest },
    standing: {
      health: health ?? 'unknown',
      score: standing_score,
      users: users ?? 0,
      rating: rating === null ? null : { average: rating, count: review_count ?? 0 },
      isUnderMaintenance: rung !== null && rung !== 'listed',
    },
  };
}
