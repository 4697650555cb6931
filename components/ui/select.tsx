import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { controlClass } from './control-class';
import { ChevronDownIcon } from './display/icons';

/** A native select; its children are `<option>`s. */
export function Select({ className, ...props }: ComponentProps<'select'>): ReactNode {
  return (
    <span className={clsx('relative inline-flex', className)}>
      <select {...props} className={clsx(controlClass, 'min-h-10 appearance-none pe-9 touch:min-h-11')} />
      <ChevronDownIcon className="pointer-events-none absolute top-1/2 end-3 -translate-y-1/2 text-muted" size={16} />
    </span>
  );
}
