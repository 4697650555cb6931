import clsx from 'clsx';
import type { ReactNode } from 'react';
import { UntrustedText } from '../../ui/display/untrusted-text';

interface CardFrameProps {
  /** The kind of card, for screen readers. */
  label: string;
  className?: string;
  children: ReactNode;
}

/** The frame of all output of an agent except text. */
export function CardFrame({ label, className, children }: CardFrameProps): ReactNode {
  return (
    <figure
      aria-label={label}
      className={clsx('min-w-0 overflow-hidden rounded-lg border border-line bg-surface text-sm', className)}
    >
      {children}
    </figure>
  );
}

export interface Fact {
  label: string;
  value: string;
}

/** Names and values in two columns, stacked on narrow screens. */
export function FactList({ facts }: { facts: Fact[] }): ReactNode {
  return (
    <dl className="grid gap-x-4 gap-y-1.5 sm:grid-cols-[minmax(8rem,auto)_1fr]">
      {facts.map(({ label, value }) => (
        <div className="contents" key={label}>
          <dt className="text-muted not-first:mt-1 sm:mt-0">
            <UntrustedText text={label} />
          </dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">
            <UntrustedText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
