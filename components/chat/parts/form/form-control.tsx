import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type ReactNode, useMemo } from 'react';
import type { FormField, FormOption } from '../../../../lib/protocol/forms/form';
import { Field, type FieldControl } from '../../../forms/field';
import { Input, Select, Textarea } from '../../../forms/inputs';
import { revealInvisible, UntrustedText, withIndex } from '../../../ui/display/untrusted-text';
import { FileControl } from './file-control';
import { useFaultText } from './format-answer';
import type { FormValues } from './use-form-values';

interface FormControlProps {
  field: FormField;
  /** Id of the control. */
  id: string;
  values: FormValues;
}

/** Lists of more options are a select, and of more characters too. */
const MAX_RADIO_OPTIONS = 5;
const MAX_RADIO_LABEL = 60;

/** The control of one field, with its label, help and error. */
export function FormControl({ field, id, values }: FormControlProps): ReactNode {
  const faultText = useFaultText();
  const fault = values.faults[field.key];
  const error = fault ? faultText(fault, field) : undefined;
  if (field.kind === 'fixed') return null;
  const isOptions = field.kind === 'choices' || (field.kind === 'choice' && isShort(field.options));
  if (isOptions || field.kind === 'boolean')
    return <OptionsControl error={error} field={field} id={id} values={values} />;
  return (
    <Field
      error={error}
      hint={field.help ? <UntrustedText text={field.help} /> : undefined}
      id={id}
      label={<UntrustedText text={field.label} />}
      required={isRequired(field)}
    >
      {(control) => <SingleControl control={control} field={field} values={values} />}
    </Field>
  );
}

/** A field of a group that may be empty as a whole counts as required. */
function isRequired({ required, requiredWith }: FormField): boolean {
  return required || requiredWith !== null;
}

function isShort(options: readonly FormOption[]): boolean {
  return options.length <= MAX_RADIO_OPTIONS && options.every(({ label }) => label.length <= MAX_RADIO_LABEL);
}

interface SingleControlProps {
  control: FieldControl;
  field: FormField;
  values: FormValues;
}

function SingleControl({ control: { required, ...control }, field, values }: SingleControlProps): ReactNode {
  const t = useTranslations('parts.form');
  const raw = values.raw[field.key];
  const value = typeof raw === 'string' ? raw : '';
  const shared = {
    ...control,
    'aria-required': required,
    onChange: (event: { target: { value: string } }) => values.write(field, event.target.value),
    value,
  };
  switch (field.kind) {
    case 'text':
      if (field.isMultiline)
        return <Textarea {...shared} dir="auto" maxLength={field.maxLength} placeholder={field.placeholder} rows={3} />;
      return (
        <Input
          {...shared}
          {...textTypes[field.format ?? 'text']}
          dir="auto"
          maxLength={field.maxLength}
          placeholder={field.placeholder}
        />
      );
    case 'lines':
      return <Textarea {...shared} dir="auto" placeholder={t('onePerLine')} rows={3} />;
    case 'number':
      return (
        <span className="flex max-w-56 items-center gap-2">
          <Input {...shared} autoComplete="off" inputMode={field.isInteger && field.min >= 0 ? 'numeric' : 'decimal'} />
          {field.currency ? <span className="shrink-0 text-muted">{field.currency}</span> : null}
        </span>
      );
    case 'date':
    case 'time':
    case 'date-time':
      return (
        <Input
          {...shared}
          className={field.kind === 'date-time' ? 'max-w-64' : 'max-w-48'}
          max={localLimit(field.max)}
          min={localLimit(field.min)}
          type={field.kind === 'date-time' ? 'datetime-local' : field.kind}
        />
      );
    case 'choice':
      return (
        <Select {...shared} className="max-w-full">
          <option value="">{t('choose')}</option>
          {withIndex(field.options).map(({ item, index }) => (
            <option key={index} value={String(index)}>
              {revealInvisible(item.label)}
            </option>
          ))}
        </Select>
      );
    default:
      return field.kind === 'file' ? (
        <FileControl control={{ required, ...control }} field={field} values={values} />
      ) : null;
  }
}

const textTypes = {
  text: { type: 'text' },
  email: { type: 'email', autoComplete: 'email', inputMode: 'email' },
  url: { type: 'url', autoComplete: 'url', inputMode: 'url' },
  tel: { type: 'tel', autoComplete: 'tel' },
} as const;

/** Controls cannot have limits with an offset; these are only checked. */
function localLimit(limit: string): string | undefined {
  return limit === '' || /(?:Z|[-+]\d{2}:\d{2})$/.test(limit) ? undefined : limit;
}

type OptionsControlProps = FormControlProps & { error: string | undefined };

/** Radio buttons or checkboxes under one legend, or one checkbox with its label. */
function OptionsControl({ field, id, values, error }: OptionsControlProps): ReactNode {
  const t = useTranslations('ui.field');
  const described = [field.help ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  const texts = (
    <>
      {field.help ? (
        <p className="text-sm text-muted" id={`${id}-hint`}>
          <UntrustedText text={field.help} />
        </p>
      ) : null}
      {error ? (
        <p className="text-sm text-danger" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
    </>
  );
  if (field.kind === 'boolean') {
    return (
      <div className="space-y-1">
        <Option
          described={described}
          invalid={error !== undefined}
          label={field.label}
          onChange={(checked) => values.write(field, checked)}
          checked={values.raw[field.key] === true}
          type="checkbox"
        />
        {texts}
      </div>
    );
  }
  return (
    <fieldset aria-describedby={described || undefined} className="min-w-0 space-y-1.5">
      <legend className="text-sm font-medium">
        <UntrustedText text={field.label} />
        {isRequired(field) || (field.kind === 'choices' && field.minItems > 0) ? null : (
          <span className="font-normal text-muted"> {t('optional')}</span>
        )}
      </legend>
      <Options error={error} field={field} id={id} values={values} />
      {texts}
    </fieldset>
  );
}

function Options({ field, id, values, error }: OptionsControlProps): ReactNode {
  const options = field.kind === 'choice' || field.kind === 'choices' ? field.options : [];
  const isMultiple = field.kind === 'choices';
  const raw = values.raw[field.key];
  const chosen = useMemo(() => new Set(Array.isArray(raw) ? raw.map(String) : [String(raw ?? '')]), [raw]);

  function choose(index: string, checked: boolean): void {
    const others = [...chosen].filter((other) => other !== index && other !== '');
    if (isMultiple) values.write(field, checked ? [...others, index] : others);
    else values.write(field, index);
  }

  return (
    <div
      className={clsx(
        'max-h-72 divide-y divide-line overflow-y-auto rounded-md border bg-surface',
        error === undefined ? 'border-line-strong' : 'border-danger',
      )}
    >
      {withIndex(options).map(({ item, index }) => (
        <Option
          boxed
          checked={chosen.has(String(index))}
          invalid={error !== undefined}
          key={index}
          label={item.label}
          name={isMultiple ? undefined : id}
          onChange={(checked) => choose(String(index), checked)}
          type={isMultiple ? 'checkbox' : 'radio'}
        />
      ))}
    </div>
  );
}

interface OptionProps {
  type: 'radio' | 'checkbox';
  name?: string;
  label: string;
  checked: boolean;
  invalid: boolean;
  described?: string;
  /** True inside the frame of a list. */
  boxed?: boolean;
  onChange: (checked: boolean) => void;
}

function Option({ type, name, label, checked, invalid, described, boxed = false, onChange }: OptionProps): ReactNode {
  return (
    <label
      className={
        boxed
          ? 'flex min-h-10 cursor-pointer items-start gap-3 px-3 py-2 hover:bg-sunken has-checked:bg-accent-soft touch:min-h-11'
          : 'flex min-h-8 cursor-pointer items-start gap-3 py-1 touch:min-h-11'
      }
    >
      <input
        aria-describedby={described || undefined}
        aria-invalid={invalid || undefined}
        checked={checked}
        className="mt-0.5 size-4 shrink-0 cursor-pointer accent-accent touch:size-5"
        name={name}
        onChange={(event) => onChange(event.target.checked)}
        type={type}
      />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <UntrustedText text={label} />
      </span>
    </label>
  );
}
