import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { controlClass } from './control-class';

/** A text input; put it into a `Field`, which labels it. */
export function Input({ className, ...props }: ComponentProps<'input'>): ReactNode {
  return <input {...props} className={clsx(controlClass, 'min-h-10 touch:min-h-11', className)} />;
}
