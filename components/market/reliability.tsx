import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { StandingView } from '@/lib/discovery/schema';
import { routes } from '../shell/routes';
import { Moment } from '../ui/moment';
import { Table } from '../ui/table';
import { HealthBadge } from './health-badge';
import { durationText, intervalText, shareText } from './health-words';
import { UptimeChart } from './uptime-chart';

/** How reliable an agent is: its health and by which check it is known, uptime and latency with their windows. */
export function Reliability({ standing }: { standing: StandingView }): ReactNode {
  const { uptime, latency, use } = standing;
  return (
    <div className="space-y-6">
      <HealthNow standing={standing} />
      <dl className="grid grid-cols-2 gap-x-5 gap-y-4 text-sm sm:grid-cols-4">
        <Figure
          name="Uptime"
          note={uptime ? `${uptime.checks} checks in ${uptime.days} days` : 'no check so far'}
          value={uptime ? shareText(uptime.share) : '–'}
        />
        <Figure
          name="Answers in"
          note={latency ? `95 of 100 within ${durationText(latency.p95Ms)}, ${latency.days} days` : 'no check so far'}
          value={latency ? durationText(latency.p50Ms) : '–'}
        />
        <Figure name="Users" note={`${use.calls} tasks in ${use.days} days`} value={String(use.users)} />
        <Figure
          name="Tasks done"
          note={use.success === null ? 'none has ended so far' : `of those that ended in ${use.days} days`}
          value={use.success === null ? '–' : shareText(use.success)}
        />
      </dl>
      <History standing={standing} />
      <HowChecked standing={standing} />
    </div>
  );
}

function HealthNow({ standing }: { standing: StandingView }): ReactNode {
  const tHealth = useTranslations('market.healthWords');
  const { health, rung, checked, failingSince } = standing;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <HealthBadge health={health} isUnderMaintenance={rung !== 'listed'} />
      <p className="text-sm text-muted">
        {checked ? (
          <>
            Last checked <Moment at={checked.at} />, by {tHealth(`probe.${checked.by}`)}.{' '}
            {health === 'healthy' ? null : tHealth(`${health}.means`)}
          </>
        ) : (
          tHealth('unknown.means')
        )}
        {failingSince ? (
          <>
            {' '}
            Failing since <Moment at={failingSince} />.
          </>
        ) : null}
        {rung === 'withheld' ? ' It has been down for so long that search leaves it out.' : null}
      </p>
    </div>
  );
}

function Figure({ name, value, note }: { name: string; value: string; note: string }): ReactNode {
  return (
    <div className="min-w-0">
      <dt className="text-muted">{name}</dt>
      <dd>
        <span className="block text-xl font-semibold tabular-nums">{value}</span>
        <span className="block text-xs text-muted">{note}</span>
      </dd>
    </div>
  );
}

function History({ standing: { history } }: { standing: StandingView }): ReactNode {
  if (history.length === 0) return null;
  return (
    <div>
      <UptimeChart history={history} />
      <details className="mt-2 text-sm">
        <summary className="w-fit cursor-pointer rounded-sm py-1 text-link">Checks day by day</summary>
        <Table caption="Checks day by day" className="mt-2">
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              <th scope="col">Checks</th>
              <th scope="col">Answered</th>
              <th scope="col">Usual time</th>
            </tr>
          </thead>
          <tbody>
            {history.map(({ day, checks, good, p50Ms }) => (
              <tr key={day}>
                <th className="tabular-nums" scope="row">
                  {day}
                </th>
                <td className="tabular-nums">{checks}</td>
                <td className="tabular-nums">{shareText(good / checks)}</td>
                <td className="tabular-nums">{p50Ms === null ? '–' : durationText(p50Ms)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </details>
    </div>
  );
}

function HowChecked({ standing: { intervals } }: { standing: StandingView }): ReactNode {
  const tHealth = useTranslations('market.healthWords');
  if (!intervals) return <p className="text-sm text-muted">This Parley does not check agents by itself.</p>;
  const { reachSeconds, runSeconds } = intervals;
  const run = intervalText(runSeconds, tHealth);
  return (
    <p className="max-w-prose text-sm text-muted">
      Parley asks it every {intervalText(reachSeconds, tHealth)} whether it answers
      {runSeconds > 0 ? `, and has an example of its skills done every ${run}` : ''}; never more often.{' '}
      <Link className="text-link" href={routes.ranking}>
        How agents are checked and ranked
      </Link>
    </p>
  );
}
