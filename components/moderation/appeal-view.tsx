import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OwnCase } from '@/lib/moderation/schema';
import { Alert } from '../ui/display/alert';
import { Badge } from '../ui/display/badge';
import { Card } from '../ui/display/card';
import { DateTime } from '../ui/display/date-time';
import { AppealForm } from './appeal-form';
import { stateTones } from './case-labels';

/** A decision, for the user responsible for the content: the reason, the moderators' statement, and the appeal. */
export function AppealView({ found }: { found: OwnCase }): ReactNode {
  const { id, kind, title, state, reason, statement, decidedAt, appeal, mayAppeal } = found;
  const t = useTranslations('moderation.appealView');
  const tWords = useTranslations('moderation.words');
  return (
    <div className="max-w-xl space-y-6">
      <Card className="p-5 sm:p-6">
        <p className="flex flex-wrap items-center gap-3">
          <Badge tone={stateTones[state]}>{tWords(`states.${state}`)}</Badge>
          {decidedAt ? (
            <span className="text-sm text-muted">
              <DateTime at={decidedAt} />
            </span>
          ) : null}
        </p>
        <p className="mt-3 font-medium">
          {t.rich('target', { kind: tWords(`kinds.${kind}`), title: () => <bdi>{title}</bdi> })}
        </p>
        {reason ? (
          <p className="mt-2">
            {t.rich('reason', {
              label: tWords(`reasons.${reason}.label`),
              hint: () => <span className="text-muted">{tWords(`reasons.${reason}.hint`)}</span>,
            })}
          </p>
        ) : null}
        {statement ? (
          <p className="mt-3 border-s-2 border-line-strong ps-4 whitespace-pre-line [overflow-wrap:anywhere]">
            {statement}
          </p>
        ) : null}
      </Card>
      {state === 'restored' ? <Alert tone="good">{t('restored')}</Alert> : null}
      {appeal ? (
        <section>
          <h2 className="font-semibold">{t('appeal')}</h2>
          <p className="mt-1 text-sm text-muted">
            <DateTime at={appeal.at} />
          </p>
          <p className="mt-2 whitespace-pre-line [overflow-wrap:anywhere]">{appeal.text}</p>
        </section>
      ) : null}
      {mayAppeal ? <AppealForm caseId={id} /> : null}
    </div>
  );
}
