'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { CaseState, CaseSummary } from '@/lib/moderation/schema';
import { casePath } from '../routes';
import { Badge } from '../ui/display/badge';
import { Card } from '../ui/display/card';
import { DateTime } from '../ui/display/date-time';
import { isDecidable } from './case-labels';
import { DecisionForm } from './decision-form';

export interface CaseQueueProps {
  cases: CaseSummary[];
  state: CaseState;
}

/** Cases of one state, which can be opened individually or decided in bulk. */
export function CaseQueue({ cases, state }: CaseQueueProps): ReactNode {
  const t = useTranslations('moderation.caseQueue');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const decidable = isDecidable(state);
  const ids = cases.map(({ id }) => id).filter((id) => chosen.has(id));

  function choose(id: string, isChosen: boolean): void {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  }

  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Card>
        <ul className="divide-y divide-line">
          {cases.map((one) => (
            <li className="flex gap-3 p-4 sm:px-5" key={one.id}>
              {decidable ? (
                <input
                  aria-label={t('choose', { title: one.title })}
                  checked={chosen.has(one.id)}
                  className="mt-1 size-4 shrink-0 accent-accent touch:size-6"
                  onChange={(event) => choose(one.id, event.target.checked)}
                  type="checkbox"
                />
              ) : null}
              <CaseRow found={one} />
            </li>
          ))}
        </ul>
      </Card>
      {decidable ? (
        <Card className="p-5">
          <h2 className="mb-4 font-semibold">{t('chosen', { count: ids.length })}</h2>
          <DecisionForm ids={ids} state={state} />
        </Card>
      ) : null}
    </div>
  );
}

function CaseRow({ found }: { found: CaseSummary }): ReactNode {
  const { id, kind, title, reports, reasons, openedAt, removedBefore, looksLike } = found;
  const t = useTranslations('moderation.caseQueue');
  const tWords = useTranslations('moderation.words');
  return (
    <div className="min-w-0 text-sm">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Badge>{tWords(`kinds.${kind}`)}</Badge>
        <Link className="text-link font-medium" href={casePath(id)} prefetch={false}>
          <bdi>{title}</bdi>
        </Link>
      </p>
      <p className="mt-1.5 text-muted">
        {t('reports', {
          count: reports,
          number: String(reports),
          reasons: reasons.map((one) => tWords(`reasons.${one}.label`)).join(', '),
        })}
      </p>
      <p className="mt-0.5 text-muted">
        {t.rich('opened', { moment: () => <DateTime at={openedAt} show="relative" /> })}
      </p>
      <p className="mt-1.5 flex flex-wrap gap-1.5 empty:hidden">
        {looksLike ? <Badge tone="warn">{t('looksLike', { slug: looksLike.slug })}</Badge> : null}
        {removedBefore > 0 ? (
          <Badge tone="danger">{t('removedBefore', { count: removedBefore, number: String(removedBefore) })}</Badge>
        ) : null}
      </p>
    </div>
  );
}
