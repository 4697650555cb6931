import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ModerationActivity } from '@/lib/moderation/schema';
import { casePath } from '../routes';
import { Badge } from '../ui/display/badge';
import { Card, EmptyState } from '../ui/display/card';
import { DateTime } from '../ui/display/date-time';
import { useFormat } from '../ui/display/format';
import { Table } from '../ui/display/table';
import { stateTones } from './case-labels';
import { queuePath } from './moderation-nav';
import { WeekChart } from './week-chart';

const hourMs = 3_600_000;

/** Figures of moderation: pending cases, decisions per week by reason and outcome, and the latest decisions. */
export function ActivityView({ activity }: { activity: ModerationActivity }): ReactNode {
  const t = useTranslations('moderation.activityView');
  const { weeks, reasons, latest } = activity;
  return (
    <div className="space-y-10">
      <Figures activity={activity} />
      <Part id="weeks" title={t('weeks')}>
        <WeekChart weeks={weeks} />
      </Part>
      <Part id="reasons" title={t('reasons')}>
        {reasons.length === 0 ? <p className="text-muted">{t('noReports')}</p> : <Reasons reasons={reasons} />}
      </Part>
      <Part id="latest" title={t('latest')}>
        {latest.length === 0 ? (
          <EmptyState level={3} title={t('noDecisions')}>
            {t('noDecisionsHint')}
          </EmptyState>
        ) : (
          <Latest latest={latest} />
        )}
      </Part>
    </div>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }): ReactNode {
  return (
    <section aria-labelledby={id}>
      <h2 className="mb-4 text-xl font-semibold" id={id}>
        {title}
      </h2>
      {children}
    </section>
  );
}

function Figures({ activity: { waiting, weeks, medianHours } }: { activity: ModerationActivity }): ReactNode {
  const t = useTranslations('moderation.activityView');
  const format = useFormat();
  const sum = (name: 'removed' | 'restored' | 'appeals' | 'upheld'): number =>
    weeks.reduce((total, week) => total + week[name], 0);
  const { open, openDay, openWeek, oldestOpenAt, appealed, oldestAppealAt } = waiting;
  return (
    <dl className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <Figure
        href={queuePath({})}
        hint={
          oldestOpenAt
            ? t.rich('openHint', {
                day: openDay,
                week: openWeek - openDay,
                older: open - openWeek,
                oldest: () => <DateTime at={oldestOpenAt} show="relative" />,
              })
            : t('noneOpen')
        }
        name={t('open')}
        value={format.number(open)}
      />
      <Figure
        href={queuePath({ state: 'appealed' })}
        hint={
          oldestAppealAt
            ? t.rich('appealsHint', { oldest: () => <DateTime at={oldestAppealAt} show="relative" /> })
            : t('noneAppealed')
        }
        name={t('appeals')}
        value={format.number(appealed)}
      />
      <Figure
        hint={t('medianHint')}
        name={t('median')}
        value={medianHours === null ? t('noMedian') : format.duration(medianHours * hourMs)}
      />
      <Figure
        hint={t('takedownsHint', { restored: sum('restored'), appeals: sum('appeals'), upheld: sum('upheld') })}
        name={t('takedowns')}
        value={format.number(sum('removed'))}
      />
    </dl>
  );
}

interface FigureProps {
  name: string;
  value: string;
  hint: ReactNode;
  href?: string;
}

function Figure({ name, value, hint, href }: FigureProps): ReactNode {
  return (
    <Card className="p-5">
      <dt className="text-sm text-muted">
        {href ? (
          <Link className="text-link" href={href} prefetch={false}>
            {name}
          </Link>
        ) : (
          name
        )}
      </dt>
      <dd className="mt-1 text-2xl font-semibold tabular-nums">{value}</dd>
      <dd className="mt-1 text-sm text-muted">{hint}</dd>
    </Card>
  );
}

function Reasons({ reasons }: Pick<ModerationActivity, 'reasons'>): ReactNode {
  const t = useTranslations('moderation.activityView');
  const tWords = useTranslations('moderation.words');
  const format = useFormat();
  return (
    <Table cards caption={t('reasons')}>
      <thead>
        <tr>
          <th scope="col">{t('reason')}</th>
          {outcomes.map((outcome) => (
            <th data-numeric key={outcome} scope="col">
              {tWords(`states.${outcome}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {reasons.map(({ reason, ...counts }) => (
          <tr key={reason}>
            <th scope="row">{tWords(`reasons.${reason}.label`)}</th>
            {outcomes.map((outcome) => (
              <td data-label={tWords(`states.${outcome}`)} data-numeric key={outcome}>
                {format.number(counts[outcome])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

const outcomes = ['open', 'dismissed', 'removed', 'restored'] as const;

function Latest({ latest }: Pick<ModerationActivity, 'latest'>): ReactNode {
  const tWords = useTranslations('moderation.words');
  return (
    <Card>
      <ul className="divide-y divide-line text-sm">
        {latest.map(({ caseId, kind, title, state, reason, at }) => (
          <li className="flex flex-wrap items-center gap-x-3 gap-y-1 p-4 sm:px-5" key={`${caseId} ${state} ${at}`}>
            <Badge tone={stateTones[state]}>{tWords(`states.${state}`)}</Badge>
            <Link className="text-link min-w-0 font-medium break-words" href={casePath(caseId)} prefetch={false}>
              <bdi>{title}</bdi>
            </Link>
            <span className="text-muted">
              {tWords(`kinds.${kind}`)}
              {reason ? ` · ${tWords(`reasons.${reason}.label`)}` : null}
            </span>
            <span className="ms-auto text-muted">
              <DateTime at={at} show="relative" />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
