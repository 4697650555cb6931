'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { LimitChange, SpendingLimitView } from '@/lib/payments/schema-spending';
import { minorUnitDigits, toDecimalText } from '../../../lib/protocol/ap2/money';
import { Field } from '../../forms/field';
import { Checkbox, Input } from '../../forms/inputs';
import { Button } from '../../ui/controls/button';
import { Dialog, DialogClose } from '../../ui/overlays/dialog';
import { toast } from '../../ui/overlays/toast';
import { parseMoney } from '../format-money';
import { RaiseProblem } from './raise-problem';
import { useRaise } from './use-raise';

export interface LimitDialogProps {
  limit: SpendingLimitView;
  /** The name of the subject that it covers. */
  name: string;
  trigger: ReactNode;
}

/** Changes one limit, or removes it. */
export function LimitDialog({ limit, name, trigger }: LimitDialogProps): ReactNode {
  const t = useTranslations('payments.limitDialog');
  const router = useRouter();
  const form = useId();
  const [open, setOpen] = useState(false);
  const { busy, problem, save } = useRaise('/api/spending/limits', () => {
    setOpen(false);
    toast({ tone: 'good', text: t('saved') });
    router.refresh();
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
