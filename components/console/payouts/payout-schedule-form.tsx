'use client';

import { useLocale, useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { PayoutAccountView } from '@/lib/payments/schema-payouts';
import { MAX_PAYOUT_MINIMUM, MIN_PAYOUT } from '../../../lib/payments/limits';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input, Select } from '../../forms/inputs';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { parseMoney } from '../../payments/offers/money';
import { Button } from '../../ui/controls/button';
import { useSuccess } from '../../ui/overlays/toast';

/** The amount is stored in hundredths, for any currency. */
const likeEuros = 'EUR';
const intervals = ['weekly', 'monthly', 'manual'] as const;

/** When payouts are created, and the minimum of each. */
export function PayoutScheduleForm({ schedule }: Pick<PayoutAccountView, 'schedule'>): ReactNode {
  const t = useTranslations('console.payoutSchedule');
  const succeed = useSuccess();
  const [interval, setInterval] = useState(schedule.interval);
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PUT',
    path: '/api/payouts/schedule',
    check: ({ minimum = '' }): FieldErrors => {
      const minor = parseMoney(minimum, likeEuros);
      const isValid = minor !== null && minor >= MIN_PAYOUT && minor <= MAX_PAYOUT_MINIMUM;
      return isValid ? {} : { minimum: t('badMinimum') };
    },
    toBody: ({ day, minimum = '' }) => ({
      interval,
      minimum: parseMoney(minimum, likeEuros) ?? 0,
      ...(interval !== 'manual' && { day: Number(day) }),
    }),
    onDone: () => succeed(t('saved')),
  });
  return (
    <form {...form} className="max-w-lg space-y-4">
      <FormProblem problem={problem} />
      <div className="flex flex-wrap items-end gap-4">
        <Field id="payout-interval" label={t('interval')} required>
          {(control) => (
            <Select
              {...control}
              name="interval"
              onChange={(event) => setInterval(intervals.find((name) => name === event.target.value) ?? 'weekly')}
              value={interval}
            >
              {intervals.map((name) => (
                <option key={name} value={name}>
                  {t(`intervals.${name}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {interval === 'manual' ? null : <DayField interval={interval} key={interval} schedule={schedule} />}
      </div>
      <Field
        className="w-56"
        error={fieldErrors.minimum}
        hint={t('minimumHint')}
        id="payout-minimum"
        label={t('minimum')}
        required
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            defaultValue={(schedule.minimum / 100).toFixed(2)}
            inputMode="decimal"
            name="minimum"
          />
        )}
      </Field>
      <p className="text-sm text-muted">{t('timeHint')}</p>
      <Button pending={pending} type="submit">
        {t('save')}
      </Button>
    </form>
  );
}

interface DayFieldProps extends Pick<PayoutAccountView, 'schedule'> {
  interval: 'weekly' | 'monthly';
}

function DayField({ interval, schedule }: DayFieldProps): ReactNode {
  const t = useTranslations('console.payoutSchedule');
  const format = new Intl.DateTimeFormat(useLocale(), { weekday: 'long', timeZone: 'UTC' });
  // 1 January 2024 was a Monday.
  const nameOf = (day: number): string => format.format(new Date(Date.UTC(2024, 0, day)));
  const days = Array.from({ length: interval === 'weekly' ? 7 : 28 }, (_, at) => at + 1);
  const chosen = schedule.interval === interval ? (schedule.day ?? 1) : 1;
  return (
    <Field id="payout-day" label={t(interval === 'weekly' ? 'weekday' : 'monthDay')} required>
      {(control) => (
        <Select {...control} defaultValue={chosen} name="day">
          {days.map((day) => (
            <option key={day} value={day}>
              {interval === 'weekly' ? nameOf(day) : day}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
