import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CaseDetail } from '@/lib/moderation/schema';
import { agentPath, casePath } from '../routes';
import { Alert } from '../ui/display/alert';
import { Badge } from '../ui/display/badge';
import { Card } from '../ui/display/card';
import { DateTime } from '../ui/display/date-time';
import { isDecidable, stateTones } from './case-labels';
import { DecisionForm } from './decision-form';

/** A case: the reported content, a snapshot of it, the history, and the decision. */
export function CaseView({ found }: { found: CaseDetail }): ReactNode {
  const { id, state, kind, path, title, looksLike, appeal, decided, reasons } = found;
  const t = useTranslations('moderation.caseView');
  const tWords = useTranslations('moderation.words');
  return (
    <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="min-w-0 space-y-8">
        <p className="flex flex-wrap items-center gap-3 text-sm">
          <Badge tone={stateTones[state]}>{tWords(`states.${state}`)}</Badge>
          <Badge>{tWords(`kinds.${kind}`)}</Badge>
          {path ? (
            <Link className="text-link" href={path} prefetch={false}>
              {t('open')}
            </Link>
          ) : (
            <bdi>{title}</bdi>
          )}
        </p>
        {looksLike ? (
          <Alert title={t('lookAlike')} tone="warn">
            <Link className="text-link" href={agentPath(looksLike.slug)} prefetch={false}>
              <bdi>{looksLike.name}</bdi> ({looksLike.slug})
            </Link>
          </Alert>
        ) : null}
        {appeal ? (
          <Part title={t('appeal')}>
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">{appeal.text}</p>
            <p className="mt-2 text-sm text-muted">
              <DateTime at={appeal.at} />
            </p>
          </Part>
        ) : null}
        {decided?.statement ? (
          <Part title={t('statement')}>
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">{decided.statement}</p>
          </Part>
        ) : null}
        <Reports found={found} />
        <History found={found} />
      </div>
      {isDecidable(state) ? (
        <Card className="p-5 lg:sticky lg:top-24">
          <DecisionForm ids={[id]} reason={reasons[0]} state={state} />
        </Card>
      ) : null}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section>
      <h2 className="mb-3 text-lg font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Reports({ found: { reportList, reports } }: { found: CaseDetail }): ReactNode {
  const t = useTranslations('moderation.caseView');
  const tWords = useTranslations('moderation.words');
  return (
    <Part title={t('reports', { count: reports, number: String(reports) })}>
      <ol className="space-y-4">
        {reportList.map(({ id, reason, details, signedIn, evidence, createdAt }) => (
          <li className="rounded-lg border border-line bg-surface p-5 text-sm" key={id}>
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-medium">{tWords(`reasons.${reason}.label`)}</span>
              <span className="text-muted">{t(signedIn ? 'byMember' : 'byVisitor')}</span>
              <span className="text-muted">
                <DateTime at={createdAt} />
              </span>
            </p>
            {details ? <p className="mt-2 whitespace-pre-line [overflow-wrap:anywhere]">{details}</p> : null}
            <h3 className="mt-4 text-xs text-muted">{t('evidence')}</h3>
            <dl className="mt-1 grid gap-x-4 gap-y-1 sm:grid-cols-[7rem_1fr]">
              {Object.entries(evidence).map(([name, value]) => (
                <div className="contents" key={name}>
                  <dt className="text-muted">{name}</dt>
                  <dd className="[overflow-wrap:anywhere]">
                    <bdi>{value}</bdi>
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ol>
    </Part>
  );
}

function History({ found: { steps, earlier, openedAt } }: { found: CaseDetail }): ReactNode {
  const t = useTranslations('moderation.caseView');
  const tWords = useTranslations('moderation.words');
  return (
    <Part title={t('history')}>
      <ol className="space-y-2 text-sm">
        <li>{t.rich('reported', { moment: () => <DateTime at={openedAt} /> })}</li>
        {steps.map(({ state, role, note, at }) => (
          <li key={`${at} ${state}`}>
            {t.rich('step', { state, role, moment: () => <DateTime at={at} /> })}
            {note ? <span className="text-muted"> {t('note', { note })}</span> : null}
          </li>
        ))}
      </ol>
      {earlier.length > 0 ? (
        <p className="mt-4 text-sm">
          {t('earlier')}{' '}
          {earlier.map(({ id, state, openedAt: at }) => (
            <Link className="text-link me-3" href={casePath(id)} key={id} prefetch={false}>
              {t.rich('earlierCase', { state: tWords(`states.${state}`), moment: () => <DateTime at={at} /> })}
            </Link>
          ))}
        </p>
      ) : null}
    </Part>
  );
}
