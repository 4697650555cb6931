import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentSummary } from '@/lib/catalog/schema';
import type { Receipt } from '@/lib/moderation/schema';
import { AgentIcon } from '../market/listing/agent-icon';
import { agentPath } from '../routes';
import { Badge } from '../ui/display/badge';
import { Card } from '../ui/display/card';
import { DateTime } from '../ui/display/date-time';
import { stateTones } from './case-labels';

/** The subject of a report. */
export function ReportedAgent({ agent }: { agent: Pick<AgentSummary, 'slug' | 'name' | 'iconUrl'> }): ReactNode {
  return (
    <div className="mb-6 flex max-w-xl items-center gap-3 rounded-lg border border-line bg-surface p-4">
      <AgentIcon agent={agent} size={40} />
      <div className="min-w-0">
        <Link className="block truncate font-medium hover:underline" dir="auto" href={agentPath(agent.slug)}>
          {agent.name}
        </Link>
        <p className="truncate font-mono text-xs text-muted">{agent.slug}</p>
      </div>
    </div>
  );
}

/** The outcome of a report. */
export function ReceiptView({ receipt }: { receipt: Receipt }): ReactNode {
  const { id, kind, title, reason, createdAt, state, decidedAt } = receipt;
  const t = useTranslations('moderation.receiptView');
  const tWords = useTranslations('moderation.words');
  return (
    <Card className="max-w-xl p-5 sm:p-6">
      <p className="flex flex-wrap items-center gap-3">
        <Badge tone={stateTones[state]}>{tWords(`states.${state}`)}</Badge>
        {decidedAt ? (
          <span className="text-sm text-muted">
            <DateTime at={decidedAt} />
          </span>
        ) : null}
      </p>
      <p className="mt-3">{t(`outcomes.${state}`)}</p>
      <dl className="mt-5 grid gap-3 border-t border-line pt-5 text-sm sm:grid-cols-[8rem_1fr]">
        <dt className="text-muted">{tWords(`kinds.${kind}`)}</dt>
        <dd>
          <bdi>{title}</bdi>
        </dd>
        <dt className="text-muted">{t('reason')}</dt>
        <dd>{tWords(`reasons.${reason}.label`)}</dd>
        <dt className="text-muted">{t('reported')}</dt>
        <dd>
          <DateTime at={createdAt} />
        </dd>
        <dt className="text-muted">{t('receipt')}</dt>
        <dd className="font-mono text-xs break-all">{id}</dd>
      </dl>
    </Card>
  );
}
