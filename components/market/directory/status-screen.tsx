import clsx from 'clsx';
import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SearchModeView } from '@/lib/embeddings/schema';
import type { ComponentStatus, Health, Incident, StatusDay, StatusView } from '@/lib/status/schema';
import { PageHeader } from '../../shell/page-header';
import { Alert } from '../../ui/display/alert';
import { Badge } from '../../ui/display/badge';
import { Card, EmptyState } from '../../ui/display/card';
import { formatOf, useFormat } from '../../ui/display/format';

const healthTones = { up: 'good', down: 'danger', unknown: 'neutral' } as const satisfies Record<Health, string>;
const headlineTones = { up: 'good', down: 'danger', unknown: 'warn' } as const satisfies Record<Health, string>;

/** The status of every component now and over the last 90 days. */
export function StatusScreen({ status, search }: { status: StatusView; search: SearchModeView }): ReactNode {
  const t = useTranslations('market.statusScreen');
  const { health, components, incidents } = status;
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader lead={t('lead')} title={t('title')} />
      <Alert title={t(`headline.${health}`)} tone={headlineTones[health]} />
      {components.length === 0 ? (
        <EmptyState className="mt-6" title={t('empty')}>
          {t('emptyHint')}
        </EmptyState>
      ) : (
        <Card className="mt-6 divide-y divide-line">
          {components.map((component) => (
            <ComponentRow key={component.component} status={component} />
          ))}
        </Card>
      )}
      <SearchMode search={search} />
      <section aria-labelledby="incidents" className="mt-10">
        <h2 className="mb-4 text-xl font-semibold" id="incidents">
          {t('incidents')}
        </h2>
        {incidents.length === 0 ? (
          <p className="text-muted">{t('noIncidents')}</p>
        ) : (
          <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
            {incidents.map((incident) => (
              <IncidentRow incident={incident} key={`${incident.component}${incident.from}`} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

function SearchMode({ search }: { search: SearchModeView }): ReactNode {
  const t = useTranslations('market.statusScreen.search');
  const { mode, model, reason, filling } = search;
  return (
    <section aria-labelledby="search-mode" className="mt-10">
      <h2 className="mb-4 text-xl font-semibold" id="search-mode">
        {t('title')}
      </h2>
      <p className="text-muted">
        {mode === 'meaning' ? t('meaning', { model: model ?? '' }) : t(`words.${reason ?? 'failing'}`)}{' '}
        {filling && t('filling', { model: filling.model, share: filling.share })}
      </p>
    </section>
  );
}

function ComponentRow({ status }: { status: ComponentStatus }): ReactNode {
  const t = useTranslations('market.statusScreen');
  const { component, health, checkedAt, uptime, days } = status;
  const name = t(`part.${component}.name`);
  return (
    <section aria-label={name} className="p-5">
      <div className="flex items-start justify-between gap-x-4">
        <h2 className="min-w-0 font-semibold">
          {name} <span className="block text-sm font-normal text-muted">{t(`part.${component}.what`)}</span>
        </h2>
        <Badge tone={healthTones[health]}>{t(`health.${health}`)}</Badge>
      </div>
      <DayBars days={days} />
      <p className="mt-3 text-sm text-muted">
        <Answered checkedAt={checkedAt} uptime={uptime} />
      </p>
    </section>
  );
}

function Answered({ checkedAt, uptime }: Pick<ComponentStatus, 'checkedAt' | 'uptime'>): ReactNode {
  const t = useTranslations('market.statusScreen');
  const percent = useUptimeText();
  const share = uptime === null ? '' : percent(uptime);
  if (!checkedAt) return uptime === null ? t('noChecks') : t('answered', { share });
  const moment = (): ReactNode => <UtcTime at={checkedAt} />;
  return t.rich(uptime === null ? 'noChecksLooked' : 'answeredLooked', { share, moment });
}

function IncidentRow({ incident }: { incident: Incident }): ReactNode {
  const t = useTranslations('market.statusScreen');
  const percent = useUptimeText();
  const { component, from, to, failed } = incident;
  const start = (): ReactNode => <UtcTime at={from} />;
  return (
    <li className="px-5 py-4 text-sm">
      <p className="font-medium">{t('failed', { name: t(`part.${component}.name`), share: percent(failed) })}</p>
      <p className="text-muted">
        {to ? t.rich('ended', { from: start, to: () => <UtcTime at={to} /> }) : t.rich('lasting', { from: start })}
      </p>
    </li>
  );
}

/** A time in UTC, which is the time zone of the whole status page, because its days are UTC days. */
function UtcTime({ at }: { at: string }): ReactNode {
  return <time dateTime={at}>{formatOf(useLocale(), 'UTC').date(at, 'moment')}</time>;
}

/** Number of days shown on phones, where 90 bars would be too thin to distinguish. */
const phoneDays = 30;

/** One bar per day. Decorative, because the text contains the same data. */
function DayBars({ days }: { days: StatusDay[] }): ReactNode {
  const t = useTranslations('market.statusScreen');
  const percent = useUptimeText();
  const utc = formatOf(useLocale(), 'UTC');
  return (
    <div aria-hidden="true" className="mt-4">
      <div className="flex h-8 gap-0.5">
        {days.map(({ day, uptime }, at) => {
          const date = utc.date(day);
          return (
            <span
              className={clsx(
                'min-w-0 flex-1 rounded-xs',
                colorOf(uptime),
                at < days.length - phoneDays && 'max-sm:hidden',
              )}
              key={day}
              title={
                uptime === null ? t('dayNone', { day: date }) : t('dayShare', { day: date, share: percent(uptime) })
              }
            />
          );
        })}
      </div>
      <p className="mt-1.5 flex justify-between text-xs text-muted">
        <span className="sm:hidden">{t('daysAgo', { count: Math.min(phoneDays, days.length) })}</span>
        <span className="max-sm:hidden">{t('daysAgo', { count: days.length })}</span>
        <span>{t('today')}</span>
      </p>
    </div>
  );
}

function colorOf(uptime: number | null): string {
  if (uptime === null) return 'bg-line';
  if (uptime >= 0.999) return 'bg-good';
  return uptime >= 0.9 ? 'bg-warn' : 'bg-danger';
}

/** Formats a share as a percentage, rounded down, so that 100% means every check. */
function useUptimeText(): (share: number) => string {
  const format = useFormat();
  return (share) => format.number(Math.floor(share * 10_000) / 10_000, { style: 'percent', maximumFractionDigits: 2 });
}
