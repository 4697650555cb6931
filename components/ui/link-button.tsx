import clsx from 'clsx';
import Link from 'next/link';
import type { ComponentProps, ReactNode } from 'react';
import { type ButtonLook, buttonClass } from './button';
import { LinkPending } from './link-pending';

export interface LinkButtonProps extends ComponentProps<typeof Link>, ButtonLook {
  icon?: ReactNode;
}

/** A link that looks like a button: for going somewhere, never for doing something. Prefetches nothing unless told. */
export function LinkButton({
  tone,
  size,
  icon,
  className,
  prefetch = false,
  children,
  ...props
}: LinkButtonProps): ReactNode {
  return (
    <Link {...props} className={clsx(buttonClass({ tone, size }), className)} prefetch={prefetch}>
      {icon}
      {children}
      <LinkPending />
    </Link>
  );
}
