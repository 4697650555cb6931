'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { PricePlan } from '@/lib/catalog/schema-prices';
import { DEFAULT_PRICE_APPROVAL_DAYS } from '@/lib/payments/limits';
import type { PriceApprovalView, PriceTerms } from '@/lib/payments/schema-plans';
import { toDecimalText } from '../../../lib/protocol/ap2/money';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Checkbox, Input } from '../../forms/inputs';
import { PasskeyMissing, Reauthenticate } from '../../forms/reauthenticate';
import { newChatPath, payPath } from '../../routes';
import { Button, LinkButton } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { Card } from '../../ui/display/card';
import { TermsOfAcceptance } from '../offers/acceptance';
import { parseMoney, useFormatMoney } from '../offers/money';
import { ApprovalFacts, PlanText } from './plan-text';
import { usePriceApproval } from './use-price-approval';

/** Uses of the price that the proposed total covers. */
const proposedUses = 20;

interface ApprovePriceProps {
  terms: PriceTerms;
}

/** An agent's prices, the approval in force, and the form for a new one. */
export function ApprovePrice({ terms: initial }: ApprovePriceProps): ReactNode {
  const t = useTranslations('payments.approvePrice');
  const approval = usePriceApproval(initial);
  const { terms, isDone } = approval;
  const plans = terms.plans.filter(({ kind }) => kind !== 'free');
  const slug = terms.agent.slug;
  if (terms.isFreeForYou) return <Alert title={t('team')}>{t('teamHint')}</Alert>;
  if (plans.length === 0) return <Alert title={t('free')}>{t('freeHint')}</Alert>;
  const isActive = terms.approval?.state === 'active';
  return (
    <div className="space-y-8">
      {isDone ? (
        <Alert live="polite" title={t('done')} tone="good">
          <p>{t('doneHint')}</p>
          <LinkButton className="mt-3" href={newChatPath(slug)} tone="primary">
            {t('continue')}
          </LinkButton>
        </Alert>
      ) : null}
      {terms.approval ? <InForce approval={terms.approval} /> : null}
      {plans.map((plan) => (
        <PlanForm approval={approval} isChange={isActive} key={plan.id} plan={plan} />
      ))}
    </div>
  );
}

function InForce({ approval }: { approval: PriceApprovalView }): ReactNode {
  const t = useTranslations('payments.approvePrice');
  return (
    <Card className="space-y-2 p-4">
      <h2 className="font-semibold">{t('inForce')}</h2>
      {approval.state === 'active' ? null : <p className="text-warn">{t(`state.${approval.state}`)}</p>}
      <ApprovalFacts approval={approval} />
    </Card>
  );
}

interface PlanFormProps {
  plan: PricePlan;
  approval: ReturnType<typeof usePriceApproval>;
  isChange: boolean;
}

function PlanForm({ plan, approval, isChange }: PlanFormProps): ReactNode {
  const t = useTranslations('payments.approvePrice');
  const { terms, busy, problem, approve } = approval;
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { currency } = plan;
  const cap = plan.cap ?? plan.amount * proposedUses;
  const perCharge = plan.kind === 'unit' ? cap : plan.amount;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const read = (name: string): number | null => parseMoney(String(data.get(name) ?? ''), currency);
    const [total, ownCap, days] = [read('total'), read('cap'), Number(data.get('days'))];
    const wrong: Record<string, string> = {
      ...(total === null && { total: t('notAmount') }),
      ...(plan.kind === 'unit' && ownCap === null && { cap: t('notAmount') }),
      ...(!(Number.isInteger(days) && days > 0) && { days: t('notDays') }),
    };
    setErrors(wrong);
    if (total === null || Object.keys(wrong).length > 0) return;
    void approve({
      ...{ agent: terms.agent.slug, planId: plan.id, total, days, agentsMayUse: data.get('agents') === 'on' },
      ...(ownCap !== null && plan.kind === 'unit' && { cap: ownCap }),
    });
  }

  const errorOf = (name: string): string | undefined =>
    errors[name] ?? problem?.faults.find(({ pointer }) => pointer === `/${name}`)?.message;
  const money = (name: 'cap' | 'total', minor: number): ReactNode => (
    <Field error={errorOf(name)} hint={t(`${name}Hint`)} id={name} label={`${t(name)} (${currency})`} required>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          defaultValue={toDecimalText({ currency, minor })}
          inputMode="decimal"
          name={name}
        />
      )}
    </Field>
  );
  return (
    <form className="space-y-5" noValidate onSubmit={submit}>
      <div>
        <p className="text-2xl font-semibold">
          <PlanText plan={plan} />
        </p>
        <WalletLine currency={currency} terms={terms} />
      </div>
      {plan.acceptance ? <TermsOfAcceptance terms={plan.acceptance} /> : null}
      <Problem problem={problem} slug={terms.agent.slug} />
      {plan.kind === 'unit' ? money('cap', cap) : null}
      {money('total', perCharge * proposedUses)}
      <Field error={errorOf('days')} id="days" label={t('days')} required>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            defaultValue={DEFAULT_PRICE_APPROVAL_DAYS}
            inputMode="numeric"
            name="days"
          />
        )}
      </Field>
      <Checkbox label={t('agents')} name="agents" />
      <Button pending={busy !== null} tone="primary" type="submit">
        {t(busy === 'passkey' ? 'waitingForPasskey' : isChange ? 'replace' : 'approve')}
      </Button>
      <p className="text-sm text-muted">{t('promise')}</p>
    </form>
  );
}

function WalletLine({ currency, terms: { wallet, test } }: { currency: string; terms: PriceTerms }): ReactNode {
  const t = useTranslations('payments.approvePrice');
  const formatMoney = useFormatMoney();
  const balance = wallet.find((money) => money.currency === currency) ?? { currency, minor: 0 };
  return <p className="mt-1 text-sm text-muted">{t(test ? 'walletTest' : 'wallet', { sum: formatMoney(balance) })}</p>;
}

function Problem({ problem, slug }: { problem: PlanFormProps['approval']['problem']; slug: string }): ReactNode {
  if (problem?.code === 'sign_in_again') return <Reauthenticate returnTo={payPath(slug)} what="changeLimit" />;
  if (problem?.code === 'passkey_required') return <PasskeyMissing />;
  return problem && problem.faults.length === 0 ? <FormProblem problem={problem} /> : null;
}
