import type { ReactNode } from 'react';
import type { OwnCase } from '@/lib/moderation/schema';
import { Alert } from '../ui/alert';
import { Badge } from '../ui/badge';
import { Card } from '../ui/card';
import { Moment } from '../ui/moment';
import { AppealForm } from './appeal-form';
import { kindWords, reasonWords, stateWords } from './words';

/** A decision, for who answers for what was taken down: the reason, what moderators say, and the appeal. */
export function AppealView({ found }: { found: OwnCase }): ReactNode {
  const { id, kind, title, state, reason, statement, decidedAt, appeal, mayAppeal } = found;
  const { label, tone } = stateWords[state];
  return (
    <div className="max-w-xl space-y-6">
      <Card className="p-5 sm:p-6">
        <p className="flex flex-wrap items-center gap-3">
          <Badge tone={tone}>{label}</Badge>
          {decidedAt ? (
            <span className="text-sm text-muted">
              <Moment at={decidedAt} />
            </span>
          ) : null}
        </p>
        <p className="mt-3 font-medium">
          {kindWords[kind]}: <bdi>{title}</bdi>
        </p>
        {reason ? (
          <p className="mt-2">
            {reasonWords[reason].label}. <span className="text-muted">{reasonWords[reason].hint}</span>
          </p>
        ) : null}
        {statement ? (
          <p className="mt-3 border-s-2 border-line-strong ps-4 whitespace-pre-line [overflow-wrap:anywhere]">
            {statement}
          </p>
        ) : null}
      </Card>
      {state === 'restored' ? <Alert tone="good">It is back as it was.</Alert> : null}
      {appeal ? (
        <section>
          <h2 className="font-semibold">Your appeal</h2>
          <p className="mt-1 text-sm text-muted">
            <Moment at={appeal.at} />
          </p>
          <p className="mt-2 whitespace-pre-line [overflow-wrap:anywhere]">{appeal.text}</p>
        </section>
      ) : null}
      {mayAppeal ? <AppealForm caseId={id} /> : null}
    </div>
  );
}
