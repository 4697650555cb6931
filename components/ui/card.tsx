import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

/** A framed surface. For a card that is one link see `AgentCard`: the link covers the card, the card is no link. */
export function Card({ className, ...props }: ComponentProps<'div'>): ReactNode {
  return <div {...props} className={clsx('rounded-lg border border-line bg-surface shadow-card', className)} />;
}
