import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentFigures } from '@/lib/console/schema-overview';
import { useFormat } from '../ui/display/format';
import { type Change, ChangeNote } from './change-note';
import { roundDuration } from './figure-tiles';
import { Sparkline } from './sparkline';

/** The figures of one agent in a list: those of the overview, without sales; one line if it was never called. */
export function AgentRowFigures({ figures: { current, previous, points } }: { figures: AgentFigures }): ReactNode {
  const t = useTranslations('console.figureTiles');
  const format = useFormat();
  const { calls, success, p95Ms, users } = current;
  if (calls === 0 && previous.calls === 0) return <p className="text-sm text-muted">{t('noCalls')}</p>;
  return (
    <dl className="grid grid-cols-4 gap-x-2 text-sm sm:gap-x-4">
      <Figure change={{ current: calls, previous: previous.calls, better: 'up' }} name={t('calls')}>
        {format.compact(calls)}
      </Figure>
      <Figure
        change={{ current: success, previous: previous.success, kind: 'share', better: 'up' }}
        name={t('successShort')}
      >
        {success === null ? t('none') : format.percent(success)}
      </Figure>
      <Figure change={{ current: p95Ms, previous: previous.p95Ms, better: 'down' }} name={t('p95Short')}>
        {p95Ms === null ? t('none') : format.duration(roundDuration(p95Ms))}
      </Figure>
      <Figure change={{ current: users, previous: previous.users, better: 'up' }} name={t('users')}>
        {format.compact(users)}
      </Figure>
      <div className="col-span-full mt-2">
        <dt className="sr-only">{t('course')}</dt>
        <dd>
          <Sparkline values={points} />
        </dd>
      </div>
    </dl>
  );
}

function Figure({ name, change, children }: { name: string; change: Change; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd>
        <span className="block font-semibold tabular-nums">{children}</span>
        <span className="block min-h-4 text-xs">
          <ChangeNote change={change} />
        </span>
      </dd>
    </div>
  );
}
