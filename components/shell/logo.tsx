import clsx from 'clsx';
import type { ReactNode } from 'react';

/** The mark: the signal flag P with a speech bubble's tail, readable as a letter P and as a speech bubble. */
function Mark({ size = 28, className }: { size?: number; className?: string }): ReactNode {
  return (
    <svg aria-hidden="true" className={className} focusable="false" height={size} viewBox="0 0 32 32" width={size}>
      <path
        d="M6 2h20a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H13.2l-8.8 6.5A1.5 1.5 0 0 1 2 29.3V6a4 4 0 0 1 4-4zM11 8.5v9h10v-9z"
        fill="currentColor"
        fillRule="evenodd"
      />
    </svg>
  );
}

/** Mark and name. */
export function Logo({ className }: { className?: string }): ReactNode {
  return (
    <span className={clsx('inline-flex items-center gap-2 font-semibold tracking-[-0.035em]', className)}>
      <Mark className="text-accent" />
      <span className="text-[1.3125rem] leading-none">Parley</span>
    </span>
  );
}
