import type { ReactNode } from 'react';
import type { CaseState, Receipt } from '@/lib/moderation/schema';
import { Badge } from '../ui/badge';
import { Card } from '../ui/card';
import { Moment } from '../ui/moment';
import { kindWords, reasonWords, stateWords } from './words';

const outcomes: Record<CaseState, string> = {
  open: 'A moderator will look at it. Keep this address: the outcome will stand here.',
  dismissed: 'A moderator looked at it and found no breach of the rules. Nothing was taken down.',
  removed: 'A moderator looked at it and took it down.',
  appealed: 'It was taken down. Who answers for it has appealed, and a moderator will look at it once more.',
  restored: 'A moderator looked at it once more and put it back.',
  upheld: 'It was taken down, and stays so after an appeal.',
};

/** What came of a report. */
export function ReceiptView({ receipt }: { receipt: Receipt }): ReactNode {
  const { id, kind, title, reason, createdAt, state, decidedAt } = receipt;
  const { label, tone } = stateWords[state];
  return (
    <Card className="max-w-xl p-5 sm:p-6">
      <p className="flex flex-wrap items-center gap-3">
        <Badge tone={tone}>{label}</Badge>
        {decidedAt ? (
          <span className="text-sm text-muted">
            <Moment at={decidedAt} />
          </span>
        ) : null}
      </p>
      <p className="mt-3">{outcomes[state]}</p>
      <dl className="mt-5 grid gap-3 border-t border-line pt-5 text-sm sm:grid-cols-[8rem_1fr]">
        <dt className="text-muted">{kindWords[kind]}</dt>
        <dd>
          <bdi>{title}</bdi>
        </dd>
        <dt className="text-muted">Reason</dt>
        <dd>{reasonWords[reason].label}</dd>
        <dt className="text-muted">Reported</dt>
        <dd>
          <Moment at={createdAt} />
        </dd>
        <dt className="text-muted">Receipt</dt>
        <dd className="font-mono text-xs break-all">{id}</dd>
      </dl>
    </Card>
  );
}
