'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { PriceApprovalView } from '@/lib/payments/schema-plans';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { payPath } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Badge } from '../../ui/display/badge';
import { Card } from '../../ui/display/card';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { toast } from '../../ui/overlays/toast';
import { TermsOfAcceptance } from '../offers/acceptance';
import { ApprovalFacts, PlanText } from './plan-text';

/** The user's approvals of prices, newest first. */
export function PriceApprovals({ items }: { items: PriceApprovalView[] }): ReactNode {
  const t = useTranslations('payments.priceApprovals');
  if (items.length === 0) return <p className="max-w-prose text-muted">{t('empty')}</p>;
  return (
    <ul className="space-y-4">
      {items.map((approval) => (
        <li key={approval.id}>
          <ApprovalCard approval={approval} />
        </li>
      ))}
    </ul>
  );
}

function ApprovalCard({ approval }: { approval: PriceApprovalView }): ReactNode {
  const t = useTranslations('payments.priceApprovals');
  const router = useRouter();
  const { id, agent, plan, state } = approval;
  const isOpen = state !== 'ended' && state !== 'expired';
  function done(): void {
    toast({ tone: 'good', text: t('ended') });
    router.refresh();
  }
  return (
    <Card className="space-y-3 p-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h3 className="flex flex-wrap items-center gap-2 font-semibold">
          <Link className="hover:underline" href={payPath(agent.slug)} prefetch={false}>
            <UntrustedText text={agent.name} />
          </Link>
          <Badge tone={state === 'active' ? 'good' : 'neutral'}>{t(`state.${state}`)}</Badge>
        </h3>
        {isOpen ? (
          <ConfirmDialog
            action={t('end')}
            onDone={done}
            path={`/api/price-approvals/${id}`}
            title={t('endTitle')}
            trigger={
              <Button aria-label={t('endOf', { name: agent.name })} size="sm">
                {t('end')}
              </Button>
            }
          >
            {t('endHint', { name: agent.name })}
          </ConfirmDialog>
        ) : null}
      </div>
      <p className="text-sm">
        <PlanText plan={plan} />
      </p>
      <ApprovalFacts approval={approval} />
      {plan.acceptance ? <TermsOfAcceptance terms={plan.acceptance} /> : null}
    </Card>
  );
}
