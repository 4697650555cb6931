import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { controlClass } from './control-class';

/** A multi-line text input; put it into a `Field`, which labels it. */
export function Textarea({ className, rows = 4, ...props }: ComponentProps<'textarea'>): ReactNode {
  return <textarea {...props} className={clsx(controlClass, 'block resize-y py-2.5', className)} rows={rows} />;
}
