import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CheckReportView, CheckResultView } from '@/lib/console/schema-checks';
import { Alert } from '../../ui/display/alert';
import { Badge, type BadgeTone } from '../../ui/display/badge';
import { Card } from '../../ui/display/card';
import { useFormat } from '../../ui/display/format';

const tones: Record<CheckResultView['outcome'], BadgeTone> = { passed: 'good', failed: 'danger', skipped: 'neutral' };

/** The results of the checks of an agent: what is wrong first. Their texts are those of the API, in English. */
export function CheckResults({ report }: { report: CheckReportView }): ReactNode {
  const t = useTranslations('console.checkResults');
  const format = useFormat();
  const { passed, failed, skipped, durationMs, results } = report;
  const of = (outcome: CheckResultView['outcome']): CheckResultView[] =>
    results.filter((result) => result.outcome === outcome);
  const time = format.duration(durationMs);
  return (
    <div className="space-y-6">
      <Alert title={t(failed > 0 ? 'failed' : 'good', { failed })} tone={failed > 0 ? 'danger' : 'good'}>
        {t('counts', { passed, failed, skipped, time })}
      </Alert>
      {failed > 0 ? (
        <ul aria-label={t('groups.failed')} className="space-y-4">
          {of('failed').map((result) => (
            <FailedCheck key={result.id} result={result} />
          ))}
        </ul>
      ) : null}
      <CheckGroup outcome="passed" results={of('passed')} />
      <CheckGroup outcome="skipped" results={of('skipped')} />
    </div>
  );
}

function FailedCheck({ result: { id, title, why, findings, docs } }: { result: CheckResultView }): ReactNode {
  const t = useTranslations('console.checkResults');
  return (
    <li>
      <Card className="space-y-4 p-5">
        <h3 className="flex flex-wrap items-center gap-3 font-semibold">
          <span lang="en">{title}</span> <Badge tone="danger">{id}</Badge>
        </h3>
        <p className="text-sm text-muted" lang="en">
          {why}
        </p>
        {findings.map(({ where, found, expected, remedy }) => (
          <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[7rem_1fr]" key={`${where} ${found}`}>
            {where === undefined ? null : <Fact name={t('where')} value={where} />}
            <Fact isCode name={t('found')} value={found} />
            <Fact name={t('expected')} value={expected} />
            <Fact name={t('remedy')} value={remedy} />
          </dl>
        ))}
        <a className="text-sm text-accent underline" href={docs}>
          {t('docs', { id })}
        </a>
      </Card>
    </li>
  );
}

function Fact({ name, value, isCode = false }: { name: string; value: string; isCode?: boolean }): ReactNode {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className={isCode ? 'font-mono text-xs wrap-anywhere' : 'wrap-anywhere'} lang="en">
        {value}
      </dd>
    </>
  );
}

function CheckGroup({
  outcome,
  results,
}: {
  outcome: Exclude<CheckResultView['outcome'], 'failed'>;
  results: CheckResultView[];
}): ReactNode {
  const t = useTranslations('console.checkResults');
  if (results.length === 0) return null;
  return (
    <details className="text-sm" open={outcome === 'skipped'}>
      <summary className="cursor-pointer font-medium">{t(`groups.${outcome}`, { count: results.length })}</summary>
      <ul aria-label={t(`groups.${outcome}`, { count: results.length })} className="mt-3 divide-y divide-line">
        {results.map(({ id, title, reason }) => (
          <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2" key={id}>
            <Badge tone={tones[outcome]}>{id}</Badge>
            <span lang="en">{title}</span>
            {reason === null ? null : (
              <span className="basis-full text-muted" lang="en">
                {reason}
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
