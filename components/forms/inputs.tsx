import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { ChevronDownIcon } from '../ui/display/icons';

/** A text input, to be placed in a `Field`, which labels it. */
export function Input({ className, ...props }: ComponentProps<'input'>): ReactNode {
  return <input {...props} className={clsx(controlClass, 'min-h-10 touch:min-h-11', className)} />;
}

/** A multi-line text input, to be placed in a `Field`, which labels it. */
export function Textarea({ className, rows = 4, ...props }: ComponentProps<'textarea'>): ReactNode {
  return <textarea {...props} className={clsx(controlClass, 'block resize-y py-2.5', className)} rows={rows} />;
}

/** A native select; its children are `<option>`s. */
export function Select({ className, ...props }: ComponentProps<'select'>): ReactNode {
  return (
    <span className={clsx('relative inline-flex', className)}>
      <select {...props} className={clsx(controlClass, 'min-h-10 appearance-none pe-9 touch:min-h-11')} />
      <ChevronDownIcon className="pointer-events-none absolute top-1/2 end-3 -translate-y-1/2 text-muted" size={16} />
    </span>
  );
}

/** The shared style of text inputs, text areas and selects. Text of 16 px, so that phones do not zoom in. */
export const controlClass =
  'w-full rounded-md border border-line-strong bg-surface px-3 text-base text-ink transition-colors duration-100 ' +
  'hover:border-ink aria-invalid:border-danger aria-invalid:outline-danger ' +
  'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted [&[readonly]]:bg-sunken';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  hint?: ReactNode;
}

/** A native checkbox inside its label. */
export function Checkbox({ label, hint, className, ...props }: CheckboxProps): ReactNode {
  return (
    <label className={clsx('flex min-h-8 cursor-pointer items-start gap-2.5 py-1 touch:min-h-11', className)}>
      <input {...props} className="mt-1 size-4 shrink-0 cursor-pointer accent-accent touch:size-5" type="checkbox" />
      <span>
        <span className="block text-sm font-medium">{label}</span>
        {hint ? <span className="block text-sm text-muted">{hint}</span> : null}
      </span>
    </label>
  );
}
