'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { StandingApprovalView, StandingList as StandingListView } from '@/lib/payments/schema-standing';
import { type ApiProblem, callApi } from '../../forms/call-api';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { FormProblem } from '../../forms/form-problem';
import { Reauthenticate } from '../../forms/reauthenticate';
import { paymentSettings } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { Badge } from '../../ui/display/badge';
import { Card } from '../../ui/display/card';
import { formatOf } from '../../ui/display/format';
import { revealInvisible, UntrustedText } from '../../ui/display/untrusted-text';
import { toast } from '../../ui/overlays/toast';
import { useFormatMoney } from '../offers/money';

export interface StandingListProps {
  standing: StandingListView;
  timeZone: string;
}

/** The switch that stops all automatic payments, and the user's standing approvals. */
export function StandingList({ standing: { stopped, items }, timeZone }: StandingListProps): ReactNode {
  const t = useTranslations('payments.standingList');
  const { busy, problem, put } = usePut();
  const stop = () => void put('/api/spending/automatic-payments', { stopped: !stopped });
  return (
    <div className="space-y-4">
      {stopped ? <Alert tone="warn">{t('stopped')}</Alert> : null}
      <PutProblem problem={problem} />
      {items.length > 0 || stopped ? (
        <Button onClick={stop} pending={busy} tone={stopped ? 'secondary' : 'danger'}>
          {t(stopped ? 'allow' : 'stop')}
        </Button>
      ) : (
        <p className="max-w-prose text-muted">{t('empty')}</p>
      )}
      <ul className="space-y-4">
        {items.map((approval) => (
          <li key={approval.id}>
            <StandingCard approval={approval} timeZone={timeZone} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function StandingCard({ approval, timeZone }: { approval: StandingApprovalView; timeZone: string }): ReactNode {
  const t = useTranslations('payments.standingList');
  const { busy, problem, put } = usePut();
  const { id, agent, payee, state } = approval;
  const pause = () => void put(`/api/standing-approvals/${id}/paused`, { paused: state === 'active' });
  const label = (action: string): string => t('ofMerchant', { action, name: agent.name });
  const action = t(state === 'active' ? 'pause' : 'resume');
  return (
    <Card className="space-y-3 p-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h3 className="flex flex-wrap items-center gap-2 font-semibold">
          <UntrustedText text={agent.name} />
          <Badge tone={state === 'active' ? 'good' : 'neutral'}>{t(`state.${state}`)}</Badge>
        </h3>
        {state === 'active' || state === 'paused' ? (
          <div className="flex flex-wrap gap-2">
            <Button aria-label={label(action)} onClick={pause} pending={busy} size="sm">
              {action}
            </Button>
            <RevokeDialog approval={approval} label={label(t('revoke'))} />
          </div>
        ) : null}
      </div>
      <p className="text-sm text-muted [overflow-wrap:anywhere]">
        {t.rich('merchant', {
          name: () => <UntrustedText text={payee.name} />,
          id: () => <UntrustedText text={payee.id} />,
        })}
      </p>
      <Terms approval={approval} timeZone={timeZone} />
      <PutProblem problem={problem} />
    </Card>
  );
}

function Terms({ approval, timeZone }: { approval: StandingApprovalView; timeZone: string }): ReactNode {
  const t = useTranslations('payments.standingList');
  const format = formatOf(useLocale(), timeZone);
  const formatMoney = useFormatMoney();
  const { currency, terms, items, usedThisMonth, usedTotal, uses, expiresAt } = approval;
  const money = (minor: number): string => formatMoney({ currency, minor });
  // The end is the first instant of the next day.
  const lastDay = new Date(Date.parse(expiresAt) - 1).toISOString();
  const lines = [
    t('perOrder', { amount: money(terms.maxPerOrder) }),
    terms.maxPerMonth === null
      ? t('noMonth')
      : t('perMonth', { used: money(usedThisMonth), amount: money(terms.maxPerMonth) }),
    t('inTotal', { used: money(usedTotal), amount: money(terms.maxTotal), uses }),
    ...(terms.maxUses === null ? [] : [t('maxUses', { uses: terms.maxUses })]),
    t(`frequency.${terms.frequency}`),
    t('perDay', { payments: terms.maxPerDay }),
    ...(items ? [t('items', { items: format.list(items.map(({ title }) => revealInvisible(title))) })] : []),
    t('until', { day: format.date(lastDay) }),
  ];
  return (
    <ul className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function RevokeDialog({
  approval: { id, agent },
  label,
}: {
  approval: StandingApprovalView;
  label: string;
}): ReactNode {
  const t = useTranslations('payments.standingList');
  const router = useRouter();
  function done(): void {
    toast({ tone: 'good', text: t('revoked') });
    router.refresh();
  }
  return (
    <ConfirmDialog
      action={t('revoke')}
      onDone={done}
      path={`/api/standing-approvals/${id}`}
      title={t('revokeTitle')}
      trigger={
        <Button aria-label={label} size="sm">
          {t('revoke')}
        </Button>
      }
    >
      {t('revokeHint', { name: agent.name })}
    </ConfirmDialog>
  );
}

/** Sends a change by PUT and refreshes the page. */
function usePut(): { busy: boolean; problem: ApiProblem | null; put: (path: string, body: object) => Promise<void> } {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  async function put(path: string, body: object): Promise<void> {
    setBusy(true);
    const response = await callApi('PUT', path, body);
    setBusy(false);
    setProblem(response.ok ? null : response.problem);
    if (response.ok) router.refresh();
  }
  return { busy, problem, put };
}

function PutProblem({ problem }: { problem: ApiProblem | null }): ReactNode {
  if (problem?.code === 'sign_in_again')
    return <Reauthenticate returnTo={paymentSettings('automatic')} what="changeLimit" />;
  return <FormProblem problem={problem} />;
}
