import clsx from 'clsx';
import Link from 'next/link';
import type { ComponentProps, ReactNode } from 'react';
import { type ButtonStyle, buttonClass } from './button';
import { LinkPending } from './link-pending';

export interface LinkButtonProps extends ComponentProps<typeof Link>, ButtonStyle {
  icon?: ReactNode;
}

/** A link styled as a button: for navigation, never for an action. No prefetch by default. */
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
