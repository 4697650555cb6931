import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title'> {
  /** The action of the button; its accessible name and native tooltip. */
  label: string;
  size?: 'sm' | 'md';
}

/** A square button with an icon as its only child. */
export function IconButton({ label, size = 'md', type = 'button', className, ...props }: IconButtonProps): ReactNode {
  return (
    <button
      {...props}
      aria-label={label}
      className={clsx(
        'inline-flex shrink-0 items-center justify-center rounded-md border border-transparent text-muted',
        'transition-colors duration-100 hover:bg-sunken hover:text-ink touch:size-11',
        'disabled:cursor-not-allowed disabled:opacity-55',
        size === 'sm' ? 'size-8' : 'size-10',
        className,
      )}
      title={label}
      type={type}
    />
  );
}
