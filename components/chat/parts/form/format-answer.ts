import { useLocale, useTranslations } from 'next-intl';
import { useCallback } from 'react';
import type { FieldFault } from '../../../../lib/protocol/forms/check-answer';
import { valueAt } from '../../../../lib/protocol/forms/describe-form';
import type { Form, FormField } from '../../../../lib/protocol/forms/form';
import { isObject, type JsonObject, type JsonValue } from '../../../../lib/protocol/json';
import { useFormat } from '../../../ui/display/format';

/** A value of an answer for display. */
export interface AnsweredField {
  key: string;
  label: string;
  text: string;
}

/** Returns the function that lists the values of an answer as the user entered them. Empty fields are omitted. */
export function useAnsweredFields(): (form: Form, values: JsonObject) => AnsweredField[] {
  const textOf = useValueText();
  return useCallback(
    ({ fields }, values) =>
      fields.flatMap((field) => {
        const value = field.kind === 'fixed' ? undefined : valueAt(values, field);
        if (value === undefined || value === null || value === '') return [];
        const label = field.group === '' ? field.label : `${field.group}: ${field.label}`;
        return [{ key: field.key, label, text: textOf(field, value) }];
      }),
    [textOf],
  );
}

/** Returns the function that formats an answer as text, for agents that read no data. */
export function useFormatAnswer(): (form: Form, values: JsonObject) => string {
  const answered = useAnsweredFields();
  return useCallback(
    (form, values) =>
      answered(form, values)
        .map(({ label, text }) => `${label}: ${text}`)
        .join('\n'),
    [answered],
  );
}

function useValueText(): (field: FormField, value: JsonValue) => string {
  const t = useTranslations('parts.form');
  const locale = useLocale();
  const format = useFormat();
  return useCallback(
    (field, value) => {
      if (field.kind === 'boolean') return t(value === true ? 'yes' : 'no');
      if (field.kind === 'choice' || field.kind === 'choices') {
        const labels = [value].flat().map((one) => field.options.find((option) => option.value === one)?.label);
        return format.list(labels.map((label, index) => label ?? String([value].flat()[index])));
      }
      if (field.kind === 'file' && field.encoding !== 'name') return t('file');
      if (field.kind === 'number' && field.currency && Number.isFinite(Number(value)))
        return new Intl.NumberFormat(locale, { style: 'currency', currency: field.currency }).format(Number(value));
      if (field.kind === 'number' && typeof value === 'number')
        return format.number(value, { maximumFractionDigits: 20 });
      if (field.kind === 'date' || field.kind === 'time' || field.kind === 'date-time')
        return inCalendar(String(value), field.kind, locale);
      if (Array.isArray(value)) return value.map(String).join('\n');
      return isObject(value) ? JSON.stringify(value) : String(value);
    },
    [format, locale, t],
  );
}

/** Formats a date or time as entered, without a change of the time zone. */
function inCalendar(value: string, kind: 'date' | 'time' | 'date-time', locale: string): string {
  const [, day = '1970-01-01', time = '00:00'] = /^(?:(\d{4}-\d{2}-\d{2})T?)?(\d{2}:\d{2})?/.exec(value) ?? [];
  const at = new Date(`${day}T${time}:00Z`);
  if (Number.isNaN(at.getTime())) return value;
  const date = kind === 'time' ? undefined : 'medium';
  return new Intl.DateTimeFormat(locale, {
    ...{ timeZone: 'UTC', dateStyle: date },
    timeStyle: kind === 'date' ? undefined : 'short',
  }).format(at);
}

const requiredTexts: Partial<
  Record<FormField['kind'], 'requiredChoice' | 'requiredDate' | 'requiredTime' | 'requiredFile'>
> = {
  choice: 'requiredChoice',
  choices: 'requiredChoice',
  date: 'requiredDate',
  time: 'requiredTime',
  'date-time': 'requiredDate',
  file: 'requiredFile',
};

/** Returns the function that says what is wrong with a value, and what is expected. */
export function useFaultText(): (fault: FieldFault, field: FormField) => string {
  const t = useTranslations('parts.form.fault');
  const locale = useLocale();
  const format = useFormat();
  return useCallback(
    ({ code, limit = '' }, field) => {
      const isDate = field.kind === 'date' || field.kind === 'time' || field.kind === 'date-time';
      const kind = isDate ? field.kind : 'date';
      const text =
        typeof limit === 'number'
          ? format.number(limit, { maximumFractionDigits: 20 })
          : isDate
            ? inCalendar(limit, kind as 'date', locale)
            : limit;
      if (code === 'required') return t(requiredTexts[field.kind] ?? 'required');
      return t(code, { limit: text, count: typeof limit === 'number' ? limit : 0 });
    },
    [format, locale, t],
  );
}
