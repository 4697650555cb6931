'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useRef } from 'react';
import type { SkillView } from '@/lib/catalog/schema';
import { toDecimalText, walletCurrencies } from '../../../lib/protocol/ap2/money';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Checkbox, Input, Select } from '../../forms/inputs';
import { type FieldErrors, type Fields, useForm } from '../../forms/use-form';
import { parseMoney } from '../../payments/offers/money';
import { Button } from '../../ui/controls/button';
import { useSuccess } from '../../ui/overlays/toast';

interface PriceFormProps {
  slug: string;
  skills: SkillView[];
}

/** The price of each skill, as displayed on the agent's page. */
export function PriceForm({ slug, skills }: PriceFormProps): ReactNode {
  const t = useTranslations('console.priceForm');
  const succeed = useSuccess();
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PATCH',
    path: `/api/agents/${encodeURIComponent(slug)}`,
    check: (fields) => faultsIn(fields, { skills, text: t('notAmount') }),
    toBody: (fields) => ({ prices: skills.flatMap((skill, index) => priceIn(fields, { skill, index })) }),
    onDone: () => succeed(t('saved')),
  });
  const list = useRef<HTMLUListElement>(null);

  function fillFree(): void {
    for (const input of list.current?.querySelectorAll('input') ?? []) {
      if (input.name.startsWith('amount ')) input.value = '0';
    }
  }

  return (
    <form {...form} className="max-w-lg space-y-5">
      <FormProblem problem={problem} />
      <p className="text-sm text-muted">{t('amountHint')}</p>
      <ul className="space-y-5" ref={list}>
        {skills.map((skill, index) => (
          <li className="space-y-1" key={skill.id}>
            <SkillFields fault={fieldErrors[`amount ${index}`]} index={index} skill={skill} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button pending={pending} tone="primary" type="submit">
          {t('save')}
        </Button>
        <Button onClick={fillFree}>{t('allFree')}</Button>
      </div>
    </form>
  );
}

interface SkillFieldsProps {
  skill: SkillView;
  index: number;
  fault: string | undefined;
}

function SkillFields({ skill: { name, price }, index, fault }: SkillFieldsProps): ReactNode {
  const t = useTranslations('console.priceForm');
  const currency = price?.currency ?? 'EUR';
  return (
    <>
      <Field error={fault} id={`price-${index}`} label={t('amount', { skill: name })} required>
        {({ required: _, ...control }) => (
          <span className="flex gap-2">
            <span className="w-40">
              <Input
                {...control}
                autoComplete="off"
                defaultValue={price ? toDecimalText({ currency, minor: price.amount }) : ''}
                inputMode="decimal"
                name={`amount ${index}`}
              />
            </span>
            <Select
              className="shrink-0"
              aria-label={t('currency', { skill: name })}
              defaultValue={currency}
              name={`currency ${index}`}
            >
              {[...new Set([...walletCurrencies, currency])].map((code) => (
                <option key={code}>{code}</option>
              ))}
            </Select>
          </span>
        )}
      </Field>
      <Checkbox defaultChecked={price?.from ?? false} label={t('from', { skill: name })} name={`from ${index}`} />
    </>
  );
}

function priceIn(fields: Fields, { skill, index }: { skill: SkillView; index: number }): object[] {
  const { text, currency } = written(fields, index);
  if (text === '') return [];
  return [{ skillId: skill.id, amount: parseMoney(text, currency), currency, from: `from ${index}` in fields }];
}

function faultsIn(fields: Fields, { skills, text: fault }: { skills: SkillView[]; text: string }): FieldErrors {
  const wrong = skills.flatMap((_, index) => {
    const { text, currency } = written(fields, index);
    return text !== '' && parseMoney(text, currency) === null ? [[`amount ${index}`, fault]] : [];
  });
  return Object.fromEntries(wrong);
}

function written(fields: Fields, index: number): { text: string; currency: string } {
  return { text: (fields[`amount ${index}`] ?? '').trim(), currency: fields[`currency ${index}`] ?? '' };
}
