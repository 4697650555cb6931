import type { SummarySource } from '../../catalog';
import type { PresenceView } from '../../catalog/schema';
import type { PriceSummary } from '../../catalog/schema-prices';
import {
  bool,
  float8,
  int4,
  json,
  nullable,
  type RowOf,
  row,
  text,
  textArray,
  timestamptz,
} from '../../platform/db/rows';
import type { EscalationStage, Health, RankingSummary } from '../schema-rankings';

/** An agent of a list with its ranking. */
export interface RankedAgent {
  agent: SummarySource;
  ranking: RankingSummary;
  /** Null for an agent with its own URL. */
  presence: PresenceView | null;
}

/**
 * Returns an SQL condition that is true if a worker of the agent is connected and accepts tasks. `agentId` is a column.
 */
export function isOnlineSql(agentId: string): string {
  return `${agentId} IN (SELECT w.agent_id FROM hub_worker w WHERE NOT w.draining)`;
}

const presenceColumn = `CASE WHEN a.url LIKE 'ws-agent://%' THEN (
    SELECT json_build_object('workers', count(*), 'connectedAt',
      (SELECT h.last_connected_at FROM hub_agent h WHERE h.agent_id = a.id))
    FROM hub_worker w WHERE w.agent_id = a.id AND NOT w.draining) END AS presence`;

/** The columns of {@link AgentSummaryRow}, from agent `a`, `agent_search` `s` and `agent_ranking` `t`. */
export const summaryColumns = `a.slug, a.url, a.name, a.description, a.version, a.tags, a.visibility, a.status, a.badges, a.icon_digest,
  a.updated_at, s.price_kind, s.price_amount, s.price_currency, s.price_unit, s.price_per, t.health, t.stage, t.users, t.success, t.rating, t.review_count, t.has_demo_data,
  CASE WHEN t.computed_at IS NOT NULL THEN t.score END AS ranking_score,
  ${presenceColumn}`;

/** The row of {@link summaryColumns} with the agent's id. */
export const summaryRow = row({
  agent_id: text(),
  slug: text(),
  url: text(),
  name: text(),
  description: text(),
  version: text(),
  tags: textArray(),
  visibility: text<SummarySource['visibility']>(),
  status: text<SummarySource['status']>(),
  badges: textArray<SummarySource['badges'][number]>(),
  icon_digest: nullable(text()),
  updated_at: timestamptz(),
  price_kind: text<PriceSummary['kind']>(),
  price_amount: nullable(int4()),
  price_currency: nullable(text()),
  price_unit: nullable(text()),
  price_per: nullable(int4()),
  health: nullable(text<Health>()),
  stage: nullable(text<EscalationStage>()),
  users: nullable(int4()),
  success: nullable(float8()),
  rating: nullable(float8()),
  review_count: nullable(int4()),
  has_demo_data: nullable(bool()),
  ranking_score: nullable(int4()),
  presence: nullable(json<{ workers: number; connectedAt: string | null }>()),
});

/** A row of {@link summaryRow}. Times are dates, or strings in JSON. */
export interface AgentSummaryRow extends Omit<RowOf<typeof summaryRow>, 'updated_at'> {
  updated_at: Date | string;
}

/** Converts a row of a list to an agent with its ranking. */
export function toRankedAgent(row: AgentSummaryRow): RankedAgent {
  const {
    agent_id,
    updated_at,
    icon_digest,
    presence,
    price_kind,
    price_amount,
    price_currency,
    price_unit,
    price_per,
    ...columns
  } = row;
  const { health, stage, users, success, rating, review_count, has_demo_data, ranking_score, ...agent } = columns;
  return {
    agent: {
      ...agent,
      id: agent_id,
      updatedAt: new Date(updated_at),
      iconDigest: icon_digest,
      price: {
        kind: price_kind,
        amount: price_amount,
        currency: price_currency,
        unit: price_amount === null ? null : (price_unit ?? 'task'),
        per: price_per,
      },
    },
    ranking: {
      health: health ?? 'unknown',
      score: ranking_score,
      users: users ?? 0,
      success,
      rating: rating === null ? null : { average: rating, count: review_count ?? 0 },
      isUnderMaintenance: stage !== null && stage !== 'listed',
      ...(has_demo_data && { hasDemoData: true }),
    },
    presence: presence && {
      online: presence.workers > 0,
      workers: presence.workers,
      connectedAt: presence.connectedAt && new Date(presence.connectedAt).toISOString(),
    },
  };
}
