import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';

/** The props that a field passes to its control, to be spread onto the `Input`, `Textarea` or `Select`. */
export interface FieldControl {
  id: string;
  required: boolean;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export interface FieldProps {
  /** Id of the control, from which the ids of the hint and the error are derived. */
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  /** The error, the expected value and the next step, announced together with the control. */
  error?: ReactNode;
  required?: boolean;
  className?: string;
  children: (control: FieldControl) => ReactNode;
}

/** A label, one control, its hint and its error, associated for screen readers. */
export function Field({ id, label, hint, error, required = false, className, children }: FieldProps): ReactNode {
  const t = useTranslations('ui.field');
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className={clsx('space-y-1.5', className)}>
      <label className="block text-sm font-medium" htmlFor={id}>
        {label}
        {required ? null : <span className="font-normal text-muted"> {t('optional')}</span>}
      </label>
      {hint ? (
        <p className="text-sm text-muted" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {children({
        id,
        required,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error ? (
        <p className="text-sm text-danger" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  );
}
