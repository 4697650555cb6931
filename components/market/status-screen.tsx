import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SearchModeView } from '@/lib/embeddings/schema';
import type { ComponentStatus, Health, Incident, StatusView } from '@/lib/status/schema';
import { PageHeader } from '../shell/page-header';
import { Alert } from '../ui/display/alert';
import { Badge } from '../ui/display/badge';
import { Card, EmptyState } from '../ui/display/card';
import { DayBars } from './status/day-bars';
import { useUptimeText } from './status/use-uptime-text';
import { UtcTime } from './status/utc-time';

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
