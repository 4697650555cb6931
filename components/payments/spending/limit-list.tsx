'use client';

import clsx from 'clsx';
import { useLocale, useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { LimitChange, SpendingLimitView } from '@/lib/payments/schema-spending';
import { minorUnitDigits, toDecimalText } from '../../../lib/protocol/ap2/money';
import { Field } from '../../forms/field';
import { Checkbox, Input } from '../../forms/inputs';
import { Button } from '../../ui/controls/button';
import { Badge } from '../../ui/display/badge';
import { formatOf } from '../../ui/display/format';
import { Dialog, DialogClose } from '../../ui/overlays/dialog';
import { useSuccess } from '../../ui/overlays/toast';
import { parseMoney, useFormatMoney } from '../offers/money';
import { RaiseProblem, useRaise } from './use-raise';

/** Share of a limit from which its bar shows a warning. */
const warnShare = 0.8;

interface LimitListProps {
  limits: SpendingLimitView[];
  /** The zone of days and months. */
  timeZone: string;
}

/** The limits of one subject, with the used and the remaining amount, and a button to change each. */
export function LimitList({ limits, timeZone }: LimitListProps): ReactNode {
  return (
    <ul className="divide-y divide-line">
      {limits.map((limit) => (
        <LimitRow key={limit.period} limit={limit} timeZone={timeZone} />
      ))}
    </ul>
  );
}

interface LimitRowProps {
  limit: SpendingLimitView;
  timeZone: string;
}

function LimitRow({ limit, timeZone }: LimitRowProps): ReactNode {
  const t = useTranslations('payments.spendingList');
  const { scope, period, isDefault, amount } = limit;
  const name = limit.name || t(scope === 'chain' ? 'chain' : 'yours');
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-2 p-4 sm:grid-cols-[8rem_minmax(0,1fr)_auto]">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {t(period)}
        {isDefault && amount !== null ? <Badge>{t('default')}</Badge> : null}
      </p>
      <div className="max-sm:col-span-2 max-sm:row-start-2">
        <LimitUse limit={limit} timeZone={timeZone} />
      </div>
      <LimitDialog
        limit={limit}
        name={name}
        trigger={
          <Button aria-label={t('changeOf', { period: t(period), name })} size="sm">
            {t('change')}
          </Button>
        }
      />
    </li>
  );
}

function LimitUse({ limit, timeZone }: LimitRowProps): ReactNode {
  const t = useTranslations('payments.spendingList');
  const locale = useLocale();
  const formatMoney = useFormatMoney();
  const { period, currency, amount, used, left, resetsAt } = limit;
  const money = (minor: number): string => formatMoney({ currency, minor });
  if (amount === null) {
    const text = period === 'order' ? t('none') : `${t('none')} · ${t('used', { used: money(used) })}`;
    return <p className="text-sm text-muted">{text}</p>;
  }
  if (period === 'order') return <p className="text-sm text-muted">{t('upTo', { amount: money(amount) })}</p>;
  const usedOf = t('usedOf', { used: money(used), amount: money(amount) });
  const rest = [
    t('left', { left: money(left ?? 0) }),
    ...(resetsAt ? [t('resets', { day: formatOf(locale, timeZone).date(resetsAt) })] : []),
  ];
  return (
    <div className="space-y-1.5">
      <UseBar share={amount === 0 ? 1 : Math.min(1, used / amount)} />
      <p className="flex flex-wrap justify-between gap-x-4 text-sm text-muted">
        <span>{usedOf}</span>
        <span>{rest.join(' · ')}</span>
      </p>
    </div>
  );
}

/** The share of a limit that is used, from 0 to 1. The text next to it states the same value. */
function UseBar({ share }: { share: number }): ReactNode {
  return (
    <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-sunken">
      <div
        className={clsx('h-full', share >= 1 ? 'bg-danger' : share >= warnShare ? 'bg-warn' : 'bg-accent')}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}

interface LimitDialogProps {
  limit: SpendingLimitView;
  /** The name of the subject that the limit covers. */
  name: string;
  trigger: ReactNode;
}

/** Changes one limit, or removes it. */
function LimitDialog({ limit, name, trigger }: LimitDialogProps): ReactNode {
  const t = useTranslations('payments.limitDialog');
  const succeed = useSuccess();
  const form = useId();
  const [open, setOpen] = useState(false);
  const { busy, problem, save } = useRaise('/api/spending/limits', () => {
    setOpen(false);
    succeed(t('saved'));
  });
  const { scope, subject, period, currency, isDefault, defaultAmount } = limit;
  const change = (amount: LimitChange['amount']) => void save({ scope, subject, period, currency, amount });
  return (
    <Dialog
      description={t('of', { name, currency })}
      footer={
        <>
          <DialogClose asChild>
            <Button>{t('cancel')}</Button>
          </DialogClose>
          {defaultAmount !== null && !isDefault ? (
            <Button disabled={busy !== null} onClick={() => change('default')}>
              {t('useDefault')}
            </Button>
          ) : null}
          <Button form={form} pending={busy !== null} tone="primary" type="submit">
            {busy === 'passkey' ? t('waitingForPasskey') : t('save')}
          </Button>
        </>
      }
      onOpenChange={setOpen}
      open={open}
      title={t('title', { period: t(`periods.${period}`) })}
      trigger={trigger}
    >
      <LimitFields id={form} limit={limit} onSave={change} />
      <div className="mt-4 empty:hidden">
        <RaiseProblem problem={problem} />
      </div>
    </Dialog>
  );
}

interface LimitFieldsProps {
  /** Id of the form, which the dialog's button submits. */
  id: string;
  limit: SpendingLimitView;
  onSave: (amount: number | null) => void;
}

function LimitFields({ id, limit: { amount, currency }, onSave }: LimitFieldsProps): ReactNode {
  const t = useTranslations('payments.limitDialog');
  const [limited, setLimited] = useState(true);
  const [error, setError] = useState<string | null>(null);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const minor = limited ? parseMoney(String(new FormData(event.currentTarget).get('amount')), currency) : null;
    const isValid = !limited || minor !== null;
    setError(isValid ? null : t('badAmount'));
    if (isValid) onSave(minor);
    else event.currentTarget.querySelector<HTMLInputElement>('[name=amount]')?.focus();
  }

  return (
    <form className="space-y-4" id={id} noValidate onSubmit={submit}>
      <Checkbox
        checked={limited}
        label={t('limited')}
        name="limited"
        onChange={(event) => setLimited(event.target.checked)}
      />
      {limited ? (
        <Field error={error} hint={t('amountHint')} id={`${id}-amount`} label={t('amount')} required>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              defaultValue={amount === null ? '' : toDecimalText({ currency, minor: amount })}
              inputMode={minorUnitDigits(currency) === 0 ? 'numeric' : 'decimal'}
              name="amount"
            />
          )}
        </Field>
      ) : null}
      <p className="text-sm text-muted">{t('raising')}</p>
    </form>
  );
}
