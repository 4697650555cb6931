import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type FigureRange, figureRanges } from '@/lib/console/schema-agents';

interface RangeSwitchProps {
  chosen: FigureRange;
  hrefOf: (range: FigureRange) => string;
}

/** Chooses the period of the figures. Each period has a URL. */
export function RangeSwitch({ chosen, hrefOf }: RangeSwitchProps): ReactNode {
  const t = useTranslations('console.rangeSwitch');
  return (
    <nav aria-label={t('label')} className="inline-flex rounded-md border border-line-strong bg-surface p-0.5 text-sm">
      {figureRanges.map((range) => (
        <Link
          aria-current={range === chosen ? 'true' : undefined}
          className={`inline-flex min-h-9 items-center rounded-sm px-3 font-medium touch:min-h-11 ${range === chosen ? 'bg-accent-soft text-accent' : 'text-muted hover:text-ink'}`}
          href={hrefOf(range)}
          key={range}
          prefetch={false}
          scroll={false}
        >
          {t(`ranges.${range}`)}
        </Link>
      ))}
    </nav>
  );
}
