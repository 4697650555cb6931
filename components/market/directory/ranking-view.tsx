import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type AgentRanking, type ScoreKey, scoreKeys } from '@/lib/discovery/schema-rankings';
import { routes } from '../../routes';
import { Table } from '../../ui/display/table';
import { intervalText } from '../listing/health-badge';

export interface RankingViewProps {
  intervals: AgentRanking['intervals'];
  weights: Record<ScoreKey, number>;
  /** Days of downtime after which an agent ranks last, and after which search excludes it. */
  ladder: { maintenance: number; withheld: number };
}

/** An explanation of probing, scoring and ordering: all factors that affect an agent's rank. */
export function RankingView({ intervals, weights, ladder }: RankingViewProps): ReactNode {
  const t = useTranslations('market.rankingView');
  return (
    <article className="page-x max-w-[52rem] space-y-10 py-8 lg:py-12">
      <header>
        <h1 className="text-3xl font-semibold">{t('title')}</h1>
        <p className="mt-3 max-w-prose text-lg text-muted">{t('lead')}</p>
      </header>
      <Checks intervals={intervals} />
      <Ladder ladder={ladder} />
      <Score weights={weights} />
      <section className="space-y-3">
        <h2 className="text-xl font-semibold">{t('order')}</h2>
        <p className="max-w-prose">{t('orderText')}</p>
        <p>
          <Link className="text-link" href={routes.catalog}>
            {t('browse')}
          </Link>
        </p>
      </section>
    </article>
  );
}

function Checks({ intervals }: Pick<RankingViewProps, 'intervals'>): ReactNode {
  const tHealth = useTranslations('market.healthWords');
  const t = useTranslations('market.rankingView');
  return (
    <section className="space-y-3">
      <h2 className="text-xl font-semibold">{t('checks')}</h2>
      {intervals ? (
        <ul className="max-w-prose list-disc space-y-2 ps-5">
          <li>{t.rich('reach', { strong, interval: intervalText(intervals.reachSeconds, tHealth) })}</li>
          {intervals.runSeconds > 0 ? (
            <li>{t.rich('run', { strong, interval: intervalText(intervals.runSeconds, tHealth) })}</li>
          ) : null}
          <li>
            {t.rich('limits', {
              retryAfter: () => <code className="font-mono text-sm">Retry-After</code>,
              clientId: () => <code className="font-mono text-sm">client_id</code>,
              probe: () => <code className="font-mono text-sm">parley-probe</code>,
            })}
          </li>
        </ul>
      ) : (
        <p>{t('noChecks')}</p>
      )}
    </section>
  );
}

function strong(chunks: ReactNode): ReactNode {
  return <strong className="font-medium">{chunks}</strong>;
}

function Ladder({ ladder }: Pick<RankingViewProps, 'ladder'>): ReactNode {
  const t = useTranslations('market.rankingView');
  return (
    <section className="space-y-3">
      <h2 className="text-xl font-semibold">{t('down')}</h2>
      <ol className="max-w-prose list-decimal space-y-2 ps-5">
        <li>{t('failed')}</li>
        <li>{t('maintenance', { hours: String(ladder.maintenance * 24) })}</li>
        <li>{t('withheld', { days: String(ladder.withheld) })}</li>
        <li>{t('withoutMail')}</li>
        <li>{t('back')}</li>
      </ol>
    </section>
  );
}

function Score({ weights }: Pick<RankingViewProps, 'weights'>): ReactNode {
  const t = useTranslations('market.rankingView');
  const words = useTranslations('market.scoreWords');
  return (
    <section className="space-y-3">
      <h2 className="text-xl font-semibold">{t('score')}</h2>
      <p className="max-w-prose">{t('scoreText')}</p>
      <Table caption={t('parts')}>
        <thead>
          <tr>
            <th scope="col">{t('part')}</th>
            <th scope="col">{t('atMost')}</th>
            <th scope="col">{t('restsOn')}</th>
          </tr>
        </thead>
        <tbody>
          {scoreKeys.map((key) => (
            <tr key={key}>
              <th scope="row">{words(`${key}.name`)}</th>
              <td className="tabular-nums">{weights[key]}</td>
              <td>{words(`${key}.rests`)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
