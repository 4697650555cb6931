import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
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
