import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentRanking } from '@/lib/discovery/schema-rankings';
import { routes } from '../../../routes';
import { DateTime } from '../../../ui/display/date-time';
import { useFormat } from '../../../ui/display/format';
import { Table } from '../../../ui/display/table';
import { HealthBadge, intervalText } from '../../listing/health-badge';
import { UptimeChart } from './uptime-chart';

/**
 * An agent's reliability: its health with the check that determined it, and uptime and latency with their windows.
 * Without a single check or task, the only text is when Parley checks it.
 */
export function Reliability({ standing }: { standing: AgentRanking }): ReactNode {
  const t = useTranslations('market.reliability');
  return (
    <div className="space-y-6">
      {standing.checked || standing.intervals ? <HealthNow standing={standing} /> : null}
      <Figures standing={standing} />
      {standing.isOwn ? <p className="text-sm text-muted">{t('ownExcluded')}</p> : null}
      <History standing={standing} />
      <HowChecked standing={standing} />
    </div>
  );
}

/** The measured figures. One without a value is not shown. */
function Figures({ standing: { uptime, latency, use } }: { standing: AgentRanking }): ReactNode {
  const t = useTranslations('market.reliability');
  const format = useFormat();
  const days = String(use.days);
  if (!uptime && !latency && use.calls === 0 && use.success === null) return null;
  return (
    <dl className="grid grid-cols-2 gap-x-5 gap-y-4 text-sm sm:grid-cols-4">
      {uptime ? (
        <Figure
          name={t('uptime')}
          note={t('uptimeNote', {
            count: uptime.checks,
            checks: format.number(uptime.checks),
            days: String(uptime.days),
          })}
          value={format.percent(uptime.share)}
        />
      ) : null}
      {latency ? (
        <Figure
          name={t('answersIn')}
          note={t('answersInNote', { duration: format.duration(latency.p95Ms), days: String(latency.days) })}
          value={format.duration(latency.p50Ms)}
        />
      ) : null}
      {use.calls > 0 ? (
        <Figure
          name={t('users')}
          note={t('usersNote', { count: use.calls, tasks: format.number(use.calls), days })}
          value={format.number(use.users)}
        />
      ) : null}
      {use.success === null ? null : (
        <Figure name={t('done')} note={t('doneNote', { days })} value={format.percent(use.success)} />
      )}
    </dl>
  );
}

function HealthNow({ standing }: { standing: AgentRanking }): ReactNode {
  const tHealth = useTranslations('market.healthWords');
  const t = useTranslations('market.reliability');
  const { health, rung, checked, failingSince } = standing;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <HealthBadge health={health} isUnderMaintenance={rung !== 'listed'} />
      <p className="text-sm text-muted">
        {checked ? (
          <>
            {t.rich('lastChecked', {
              moment: () => <DateTime at={checked.at} />,
              check: tHealth(`probe.${checked.by}`),
            })}{' '}
            {health === 'healthy' ? null : tHealth(`${health}.means`)}
          </>
        ) : (
          tHealth('unknown.means')
        )}
        {failingSince ? <> {t.rich('failingSince', { moment: () => <DateTime at={failingSince} /> })}</> : null}
        {rung === 'withheld' ? ` ${t('withheld')}` : null}
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

/** Minimum number of days with checks for a chart. A shorter history is in the figures and the table. */
const minChartDays = 7;

function History({ standing: { history } }: { standing: AgentRanking }): ReactNode {
  const format = useFormat();
  const t = useTranslations('market.reliability');
  if (history.length === 0) return null;
  return (
    <div>
      {history.length >= minChartDays ? <UptimeChart history={history} /> : null}
      <details className="mt-2 text-sm">
        <summary className="w-fit cursor-pointer rounded-sm py-1 text-link">{t('dayByDay')}</summary>
        <Table caption={t('dayByDay')} className="mt-2">
          <thead>
            <tr>
              <th scope="col">{t('day')}</th>
              <th data-numeric scope="col">
                {t('checks')}
              </th>
              <th data-numeric scope="col">
                {t('answered')}
              </th>
              <th data-numeric scope="col">
                {t('usualTime')}
              </th>
            </tr>
          </thead>
          <tbody>
            {history.map(({ day, checks, good, p50Ms }) => (
              <tr key={day}>
                <th className="tabular-nums" scope="row">
                  {day}
                </th>
                <td data-numeric>{format.number(checks)}</td>
                <td data-numeric>{format.percent(good / checks)}</td>
                <td data-numeric>{p50Ms === null ? '–' : format.duration(p50Ms)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </details>
    </div>
  );
}

function HowChecked({ standing: { intervals } }: { standing: AgentRanking }): ReactNode {
  const tHealth = useTranslations('market.healthWords');
  const t = useTranslations('market.reliability');
  if (!intervals) return <p className="text-sm text-muted">{t('noChecks')}</p>;
  const { reachSeconds, runSeconds } = intervals;
  const interval = intervalText(reachSeconds, tHealth);
  return (
    <p className="max-w-prose text-sm text-muted">
      {runSeconds > 0
        ? t('asksAndRuns', { interval, runInterval: intervalText(runSeconds, tHealth) })
        : t('asks', { interval })}{' '}
      <Link className="text-link" href={routes.ranking}>
        {t('how')}
      </Link>
    </p>
  );
}
