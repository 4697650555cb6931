import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

/** A framed surface. For a card that acts as one link see `AgentCard`, whose link covers the card. */
export function Card({ className, ...props }: ComponentProps<'div'>): ReactNode {
  return <div {...props} className={clsx('rounded-lg border border-line bg-surface shadow-card', className)} />;
}
