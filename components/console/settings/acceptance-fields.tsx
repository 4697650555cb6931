import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AcceptanceTerms } from '@/lib/protocol/ap2/schema-offer';
import { MAX_ACCEPTANCE_DAYS, MAX_ACCEPTANCE_TEXT } from '../../../lib/protocol/limits';
import { Field } from '../../forms/field';
import { Checkbox, Input, Textarea } from '../../forms/inputs';
import type { FieldErrors, Fields } from '../../forms/use-form';

/** The days that are proposed. */
const proposedDays = 3;

interface AcceptanceFieldsProps {
  terms: AcceptanceTerms | undefined;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
  fieldErrors: FieldErrors;
}

/** The acceptance terms of a price: what is delivered, how it is checked, and until when. */
export function AcceptanceFields({ terms, isOn, onToggle, fieldErrors }: AcceptanceFieldsProps): ReactNode {
  const t = useTranslations('console.acceptanceFields');
  return (
    <fieldset className="space-y-5">
      <legend className="sr-only">{t('legend')}</legend>
      <Checkbox
        checked={isOn}
        hint={t('offerHint')}
        label={t('offer')}
        onChange={(event) => onToggle(event.target.checked)}
      />
      {isOn ? (
        <>
          {(['deliverable', 'check'] as const).map((name) => (
            <Field
              error={fieldErrors[name]}
              hint={t(`${name}Hint`)}
              id={`plan-${name}`}
              key={name}
              label={t(name)}
              required
            >
              {(control) => (
                <Textarea
                  {...control}
                  defaultValue={terms?.[name] ?? ''}
                  maxLength={MAX_ACCEPTANCE_TEXT}
                  name={name}
                  rows={3}
                />
              )}
            </Field>
          ))}
          <Field error={fieldErrors.days} hint={t('daysHint')} id="plan-days" label={t('days')} required>
            {(control) => (
              <span className="block w-24">
                <Input
                  {...control}
                  autoComplete="off"
                  defaultValue={terms?.days ?? proposedDays}
                  inputMode="numeric"
                  name="days"
                />
              </span>
            )}
          </Field>
        </>
      ) : null}
    </fieldset>
  );
}

/** Returns the acceptance terms in the fields. */
export function acceptanceIn({ deliverable = '', check = '', days = '' }: Fields): AcceptanceTerms {
  return { deliverable: deliverable.trim(), check: check.trim(), days: Number(days) };
}

/** Returns what is missing in the fields, and `badDays` unless the days are valid. */
export function acceptanceFaults(
  fields: Fields,
  { missing, badDays }: Record<'missing' | 'badDays', string>,
): FieldErrors {
  const { deliverable, check, days } = acceptanceIn(fields);
  return {
    ...(deliverable === '' && { deliverable: missing }),
    ...(check === '' && { check: missing }),
    ...(!(Number.isInteger(days) && days >= 1 && days <= MAX_ACCEPTANCE_DAYS) && { days: badDays }),
  };
}
