import type { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentDetail, PresenceView } from '@/lib/catalog/schema';
import type { AgentRanking } from '@/lib/discovery/schema-rankings';

/** An agent with everything that is compared. */
export interface ComparedAgent {
  detail: AgentDetail;
  standing: AgentRanking;
  /** Null for an agent with its own URL. */
  presence: PresenceView | null;
}

/** A property: the value that is compared, and its display. */
export interface Property {
  key: string;
  name: string;
  valueIn: (agent: ComparedAgent) => string | number | null | string[];
  show?: (agent: ComparedAgent) => ReactNode;
  /** A number that is better the higher it is; null if unknown. */
  merit?: (agent: ComparedAgent) => number | null;
}

export type RowTexts = ReturnType<typeof useTranslations<'market.compareRows'>>;
