import type { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { scoreKeys } from '@/lib/discovery/schema-rankings';
import type { Format } from '../../ui/display/format';
import {
  type ComparedAgent,
  dataProperties,
  listingProperties,
  type Property,
  type RowTexts,
  workProperties,
} from './fact-properties';
import { choiceProperties, reliabilityProperties, scoreProperty } from './figure-properties';

/** One property of all compared agents. */
export interface CompareRow {
  key: string;
  name: string;
  /** A cell per agent. */
  cells: ReactNode[];
  /** True unless all agents have the same value. */
  differs: boolean;
  /** For each cell, true if it is the best of the row. */
  best: boolean[];
}

export interface CompareGroup {
  key: 'choice' | 'score' | 'reliability' | 'work' | 'data' | 'listing';
  rows: CompareRow[];
}

/** Returns all properties of the agents in groups. */
export function compareGroups(
  agents: ComparedAgent[],
  {
    t,
    scoreTexts,
    format,
  }: { t: RowTexts; scoreTexts: ReturnType<typeof useTranslations<'market.scoreWords'>>; format: Format },
): CompareGroup[] {
  const nothing = <span className="text-muted">{t('unknown')}</span>;

  function rowOf({ key, name, valueIn, show, merit }: Property): CompareRow {
    const values = agents.map(valueIn);
    const cells = agents.map((agent, index) => {
      const value = values[index];
      if (value === null || (Array.isArray(value) && value.length === 0)) return nothing;
      return show ? show(agent) : String(value);
    });
    const differs = new Set(values.map((value) => JSON.stringify(value))).size > 1;
    return { key, name, cells, differs, best: bestOf(agents.map((agent) => merit?.(agent) ?? null)) };
  }

  const groups: Record<CompareGroup['key'], Property[]> = {
    choice: choiceProperties(t, format),
    score: scoreKeys.map((key) => scoreProperty(key, scoreTexts)),
    reliability: reliabilityProperties(t, format),
    work: workProperties(t),
    data: dataProperties(t),
    listing: listingProperties(t, format),
  };
  return Object.entries(groups).map(([key, properties]) => ({
    key: key as CompareGroup['key'],
    rows: properties.map(rowOf),
  }));
}

/** Returns true for each number that is the highest; all false for a single number, or if all are equal. */
export function bestOf(merits: (number | null)[]): boolean[] {
  const known = merits.filter((merit) => merit !== null);
  const highest = Math.max(...known);
  const stands = known.some((merit) => merit < highest);
  return merits.map((merit) => stands && merit === highest);
}
