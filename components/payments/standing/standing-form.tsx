'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useState } from 'react';
import { DEFAULT_AUTOMATIC_PER_DAY, MAX_AUTOMATIC_PER_DAY } from '@/lib/payments/limits';
import type { OrderView } from '@/lib/payments/schema';
import type { StandingReviewRequest } from '@/lib/payments/schema-standing';
import { FREQUENCIES } from '../../../lib/protocol/ap2/frequencies';
import { toDecimalText } from '../../../lib/protocol/ap2/money';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Checkbox, Input, Select } from '../../forms/inputs';
import { PasskeyMissing } from '../../forms/reauthenticate';
import { orderPath } from '../../routes';
import { Button, LinkButton } from '../../ui/controls/button';
import { UntrustedText, withIndex } from '../../ui/display/untrusted-text';
import { parseMoney } from '../offers/money';
import { useStandingForm } from './use-standing-form';

export interface StandingFormProps {
  order: OrderView & { offer: NonNullable<OrderView['offer']> };
  /** The proposed last day, YYYY-MM-DD. */
  until: string;
}

const amountNames = ['maxPerOrder', 'maxPerMonth', 'maxTotal'] as const;
const labels = { maxPerOrder: 'perOrder', maxPerMonth: 'perMonth', maxTotal: 'total' } as const;
const optionalNames: string[] = ['maxPerMonth', 'maxUses'];
/** Factors of the proposed amounts, relative to this order. */
const factors = { maxPerOrder: 1, maxPerMonth: 4, maxTotal: 12 };

/** The terms of a standing approval for the merchant of an order. */
export function StandingForm({ order, until }: StandingFormProps): ReactNode {
  const t = useTranslations('payments.standingForm');
  const tList = useTranslations('payments.standingList');
  const { busy, problem, create } = useStandingForm();
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { currency, minor } = order.offer.total;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const { terms, wrong } = readTerms(new FormData(form), order);
    setErrors(
      Object.fromEntries(Object.entries(wrong).map(([name, text]) => [name, t(text, { max: MAX_AUTOMATIC_PER_DAY })])),
    );
    const [first] = Object.keys(wrong);
    if (first) form.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    else void create(terms);
  }

  const errorOf = (name: string): string | undefined =>
    errors[name] ?? problem?.faults.find(({ pointer }) => pointer === `/${name}`)?.message;
  const { dialect } = order.offer;
  const namesItems = dialect === 'ap2-0.2' || dialect === 'ucp';
  return (
    <form className="max-w-lg space-y-5" noValidate onSubmit={submit}>
      {problem?.code === 'passkey_required' ? (
        <PasskeyMissing />
      ) : problem && problem.faults.length === 0 ? (
        <FormProblem problem={problem} />
      ) : null}
      <Parties order={order} />
      {amountNames.map((name) => (
        <Field
          error={errorOf(name)}
          id={name}
          key={name}
          label={`${t(labels[name])} (${currency})`}
          required={!optionalNames.includes(name)}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              defaultValue={toDecimalText({ currency, minor: minor * factors[name] })}
              inputMode="decimal"
              name={name}
            />
          )}
        </Field>
      ))}
      <Field id="frequency" label={t('frequency')} required>
        {(control) => (
          <Select {...control} name="frequency">
            {FREQUENCIES.map((one) => (
              <option key={one} value={one}>
                {tList(`frequency.${one}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field error={errorOf('maxUses')} id="maxUses" label={t('uses')}>
        {(control) => <Input {...control} autoComplete="off" inputMode="numeric" name="maxUses" />}
      </Field>
      <Field error={errorOf('maxPerDay')} hint={t('perDayHint')} id="maxPerDay" label={t('perDay')} required>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            defaultValue={DEFAULT_AUTOMATIC_PER_DAY}
            inputMode="numeric"
            name="maxPerDay"
          />
        )}
      </Field>
      <Field error={errorOf('until')} hint={t('untilHint')} id="until" label={t('until')} required>
        {(control) => <Input {...control} defaultValue={until} name="until" type="date" />}
      </Field>
      {namesItems ? <Checkbox label={t('onlySameItems')} name="onlySameItems" /> : null}
      <div className="flex flex-wrap gap-2">
        <LinkButton href={orderPath(order.id)}>{t('cancel')}</LinkButton>
        <Button pending={busy !== null} tone="primary" type="submit">
          {t(busy === 'passkey' ? 'waitingForPasskey' : 'sign')}
        </Button>
      </div>
    </form>
  );
}

/** The payee, the payment method, and the items to which the approval can be restricted. */
function Parties({ order: { agent, offer } }: Pick<StandingFormProps, 'order'>): ReactNode {
  const t = useTranslations('payments.standingForm');
  const tParties = useTranslations('payments.orderParties');
  const items = offer.lines.filter(({ kind }) => kind === 'item');
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm [&_dd]:[overflow-wrap:anywhere] [&_dt]:text-muted">
      <dt>{t('merchant')}</dt>
      <dd>
        <UntrustedText text={offer.merchantName ?? agent.name} />
      </dd>
      <dt>{tParties('agent')}</dt>
      <dd>
        <UntrustedText text={agent.name} />
      </dd>
      <dt>{t('paidFrom')}</dt>
      <dd>{t('wallet')}</dd>
      <dt>{t('items')}</dt>
      <dd>
        <ul>
          {withIndex(items).map(({ item, index }) => (
            <li key={index}>
              <UntrustedText text={item.label} />
            </li>
          ))}
        </ul>
      </dd>
    </dl>
  );
}

type Wrong = Record<string, 'badAmount' | 'badOptional' | 'badUses' | 'badPerDay' | 'badDay'>;

/** Returns the terms of the form, and the errors of its fields. */
function readTerms(
  fields: FormData,
  { id, offer }: StandingFormProps['order'],
): { terms: StandingReviewRequest; wrong: Wrong } {
  const wrong: Wrong = {};
  const textOf = (name: string): string => String(fields.get(name)).trim();
  const isOmitted = (name: string): boolean => optionalNames.includes(name) && textOf(name) === '';
  function amountOf(name: (typeof amountNames)[number]): number {
    const amount = parseMoney(textOf(name), offer.total.currency);
    if (!amount) wrong[name] = optionalNames.includes(name) ? 'badOptional' : 'badAmount';
    return amount ?? 0;
  }
  const maxUses = isOmitted('maxUses') ? null : Number(textOf('maxUses'));
  const terms = {
    orderId: id,
    maxPerOrder: amountOf('maxPerOrder'),
    maxPerMonth: isOmitted('maxPerMonth') ? null : amountOf('maxPerMonth'),
    maxTotal: amountOf('maxTotal'),
    frequency: FREQUENCIES.find((one) => one === fields.get('frequency')) ?? 'ON_DEMAND',
    maxUses,
    maxPerDay: Number(textOf('maxPerDay')),
    onlySameItems: fields.has('onlySameItems'),
    until: textOf('until'),
  };
  if (maxUses !== null && !(Number.isInteger(maxUses) && maxUses > 0)) wrong.maxUses = 'badUses';
  const { maxPerDay } = terms;
  if (!(Number.isInteger(maxPerDay) && maxPerDay > 0 && maxPerDay <= MAX_AUTOMATIC_PER_DAY))
    wrong.maxPerDay = 'badPerDay';
  if (terms.until === '') wrong.until = 'badDay';
  return { terms, wrong };
}
