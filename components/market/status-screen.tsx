import type { ReactNode } from 'react';
import type { Component, ComponentStatus, Health, Incident, StatusDay, StatusView } from '@/lib/status/schema';
import { PageHeader } from '../shell/page-header';
import { Alert } from '../ui/alert';
import { Badge } from '../ui/badge';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { Moment } from '../ui/moment';

const names: Record<Component, { name: string; what: string }> = {
  web: { name: 'Web', what: 'Pages of this site' },
  gateway: { name: 'Gateway', what: 'Calls to agents, and tokens' },
  database: { name: 'Database', what: 'Everything that is kept' },
  events: { name: 'Event bus', what: 'What one server tells the others' },
  mail: { name: 'Mail', what: 'Links and notices' },
  payments: { name: 'Payments', what: 'The card processor' },
  probes: { name: 'Probes', what: 'Checks of listed agents' },
};

const healths: Record<Health, { text: string; tone: 'good' | 'danger' | 'neutral' }> = {
  up: { text: 'Up', tone: 'good' },
  down: { text: 'Down', tone: 'danger' },
  unknown: { text: 'Not known', tone: 'neutral' },
};

const headlines: Record<Health, { title: string; tone: 'good' | 'danger' | 'warn' }> = {
  up: { title: 'Everything works', tone: 'good' },
  down: { title: 'Something does not work', tone: 'danger' },
  unknown: { title: 'Not every part was looked at in the last five minutes', tone: 'warn' },
};

/** How every part does now, and did over the last 90 days. */
export function StatusScreen({ status }: { status: StatusView }): ReactNode {
  const { health, components, incidents } = status;
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader
        lead="Every part is looked at once a minute. Times are shown in your time zone, days are UTC."
        title="Status"
      />
      <Alert title={headlines[health].title} tone={headlines[health].tone} />
      {components.length === 0 ? (
        <EmptyState title="No checks yet">The first comes a minute after the start.</EmptyState>
      ) : (
        <Card className="mt-6 divide-y divide-line">
          {components.map((component) => (
            <ComponentRow key={component.component} status={component} />
          ))}
        </Card>
      )}
      <section aria-labelledby="incidents" className="mt-10">
        <h2 className="mb-4 text-xl font-semibold" id="incidents">
          Incidents
        </h2>
        {incidents.length === 0 ? (
          <p className="text-muted">None in the last 90 days.</p>
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

function ComponentRow({ status }: { status: ComponentStatus }): ReactNode {
  const { component, health, checkedAt, uptime, days } = status;
  const { name, what } = names[component];
  return (
    <section aria-label={name} className="p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="font-semibold">
          {name} <span className="text-sm font-normal text-muted">{what}</span>
        </h2>
        <Badge tone={healths[health].tone}>{healths[health].text}</Badge>
      </div>
      <DayBars days={days} />
      <p className="mt-2 text-sm text-muted">
        {uptime === null ? 'No checks yet' : `${percent(uptime)} of checks in 90 days were answered`}
        {checkedAt ? (
          <>
            , last looked at <Moment at={checkedAt} />
          </>
        ) : null}
      </p>
    </section>
  );
}

/** One bar a day; said as text beside them, so they are decoration. */
function DayBars({ days }: { days: StatusDay[] }): ReactNode {
  return (
    <div aria-hidden="true" className="mt-3 flex h-8 gap-px">
      {days.map(({ day, uptime }) => (
        <span
          className={`min-w-0 flex-1 rounded-sm ${colourOf(uptime)}`}
          key={day}
          title={`${day}: ${uptime === null ? 'no checks' : percent(uptime)}`}
        />
      ))}
    </div>
  );
}

function IncidentRow({ incident }: { incident: Incident }): ReactNode {
  const { component, from, to, failed } = incident;
  return (
    <li className="px-5 py-4 text-sm">
      <p className="font-medium">
        {names[component].name}: {percent(failed)} of checks failed
      </p>
      <p className="text-muted">
        From <Moment at={from} />{' '}
        {to ? (
          <>
            to <Moment at={to} />
          </>
        ) : (
          'until now'
        )}
      </p>
    </li>
  );
}

function colourOf(uptime: number | null): string {
  if (uptime === null) return 'bg-line';
  if (uptime >= 0.999) return 'bg-good';
  return uptime >= 0.9 ? 'bg-warn' : 'bg-danger';
}

/** Rounded down, so that 100 % means every check. */
function percent(share: number): string {
  return `${Math.floor(share * 10_000) / 100} %`;
}
