'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { PricePlan } from '@/lib/catalog/schema-prices';
import { toDecimalText, walletCurrencies } from '../../../lib/protocol/ap2/money';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Checkbox, Input, Select } from '../../forms/inputs';
import { type FieldErrors, type Fields, useForm } from '../../forms/use-form';
import { parseMoney } from '../../payments/offers/money';
import { Button } from '../../ui/controls/button';
import { useSuccess } from '../../ui/overlays/toast';
import { AcceptanceFields, acceptanceFaults, acceptanceIn } from './acceptance-fields';

const kinds = ['none', 'free', 'task', 'message', 'unit'] as const;
type Kind = (typeof kinds)[number];

interface PlanFormProps {
  slug: string;
  plans: PricePlan[];
  /** The asset in which callers without an account can pay, and its currency; null if the site accepts none. */
  x402: { code: string; currency: string } | null;
}

/** The price that Parley charges for the agent, in one currency. */
export function PlanForm({ slug, plans: [plan, ...others], x402 }: PlanFormProps): ReactNode {
  const t = useTranslations('console.planForm');
  const succeed = useSuccess();
  const [kind, setKind] = useState<Kind>(plan?.kind ?? 'none');
  const isPaid = kind === 'task' || kind === 'message' || kind === 'unit';
  // A message is no result that can be accepted.
  const mayHaveTerms = kind === 'task' || kind === 'unit';
  const [isAccepted, setAccepted] = useState(plan?.acceptance !== undefined);
  const withTerms = mayHaveTerms && isAccepted;
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PATCH',
    path: `/api/agents/${encodeURIComponent(slug)}`,
    check: (fields) => ({
      ...faultsIn(fields, { isPaid, text: t('notAmount') }),
      ...(withTerms && acceptanceFaults(fields, { missing: t('missing'), badDays: t('badDays') })),
    }),
    // Plans in other currencies are kept.
    toBody(fields) {
      const terms = withTerms ? { acceptance: acceptanceIn(fields) } : {};
      const own = planIn(kind, fields).map((price) => ({ ...price, ...terms }));
      return { pricePlans: [...own, ...(isPaid ? others.map(toInput) : [])] };
    },
    onDone: () => succeed(t('saved')),
  });
  const currency = plan?.currency ?? 'EUR';
  return (
    <form {...form} className="max-w-lg space-y-5">
      <FormProblem problem={problem} />
      <Field id="plan-kind" label={t('kind')} required>
        {(control) => (
          <Select {...control} name="kind" onChange={(event) => setKind(event.target.value as Kind)} value={kind}>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {t(`kinds.${one}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {isPaid ? (
        <Field error={fieldErrors.amount} id="plan-amount" label={t('amount')} required>
          {(control) => (
            <span className="flex gap-2">
              <span className="w-40">
                <Input
                  {...control}
                  autoComplete="off"
                  defaultValue={plan && plan.amount > 0 ? toDecimalText({ currency, minor: plan.amount }) : ''}
                  inputMode="decimal"
                  name="amount"
                />
              </span>
              <Select aria-label={t('currency')} className="shrink-0" defaultValue={currency} name="currency">
                {walletCurrencies.map((code) => (
                  <option key={code}>{code}</option>
                ))}
              </Select>
            </span>
          )}
        </Field>
      ) : null}
      {kind === 'unit' ? <UnitFields fieldErrors={fieldErrors} plan={plan} /> : null}
      {mayHaveTerms ? (
        <AcceptanceFields fieldErrors={fieldErrors} isOn={isAccepted} onToggle={setAccepted} terms={plan?.acceptance} />
      ) : null}
      {x402 && isPaid && kind !== 'unit' ? (
        <Checkbox defaultChecked={plan?.x402} hint={t('x402Hint', x402)} label={t('x402')} name="x402" value="1" />
      ) : null}
      <Button pending={pending} tone="primary" type="submit">
        {t('save')}
      </Button>
    </form>
  );
}

function UnitFields({ plan, fieldErrors }: { plan: PricePlan | undefined; fieldErrors: FieldErrors }): ReactNode {
  const t = useTranslations('console.planForm');
  const cap = plan?.cap ? toDecimalText({ currency: plan.currency, minor: plan.cap }) : '';
  return (
    <>
      <Field error={fieldErrors.unit} hint={t('unitHint')} id="plan-unit" label={t('unit')} required>
        {(control) => <Input {...control} autoComplete="off" defaultValue={plan?.unit ?? ''} name="unit" />}
      </Field>
      <Field error={fieldErrors.per} id="plan-per" label={t('per')} required>
        {(control) => (
          <Input {...control} autoComplete="off" defaultValue={plan?.per ?? 1} inputMode="numeric" name="per" />
        )}
      </Field>
      <Field error={fieldErrors.cap} hint={t('capHint')} id="plan-cap" label={t('cap')}>
        {(control) => <Input {...control} autoComplete="off" defaultValue={cap} inputMode="decimal" name="cap" />}
      </Field>
    </>
  );
}

function planIn(kind: Kind, { amount = '', currency = 'EUR', unit = '', per = '1', cap = '', x402 }: Fields): object[] {
  if (kind === 'none') return [];
  if (kind === 'free') return [{ kind, currency }];
  const price = { kind, currency, amount: parseMoney(amount.trim(), currency) };
  if (kind !== 'unit') return [{ ...price, x402: x402 !== undefined }];
  return [{ ...price, unit: unit.trim(), per: Number(per), cap: cap.trim() === '' ? null : parseMoney(cap, currency) }];
}

function toInput({ kind, currency, amount, unit, per, cap, acceptance, x402 }: PricePlan): object {
  const price = { kind, currency, amount, ...(acceptance && { acceptance }) };
  return kind === 'unit' ? { ...price, unit, per, cap } : { ...price, x402 };
}

function faultsIn(fields: Fields, { isPaid, text }: { isPaid: boolean; text: string }): FieldErrors {
  const isWrong = (name: string): boolean => parseMoney((fields[name] ?? '').trim(), fields.currency ?? '') === null;
  return {
    ...(isPaid && isWrong('amount') && { amount: text }),
    ...((fields.cap ?? '').trim() !== '' && isWrong('cap') && { cap: text }),
  };
}
