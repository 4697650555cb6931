import clsx from 'clsx';
import Link from 'next/link';
import type { ComponentProps, ReactNode } from 'react';
import { LinkPending } from './link-pending';
import { Spinner } from './loading';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title'> {
  /** The action of the button, used as its accessible name and native tooltip. */
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

interface LinkButtonProps extends ComponentProps<typeof Link>, ButtonStyle {
  icon?: ReactNode;
}

/** A link styled as a button, for navigation and never for an action. Not prefetched by default. */
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

/**
 * `primary`: the main step of a view. `secondary`: all other steps. `quiet`: in rows and toolbars. `danger`:
 * destructive.
 */
export type ButtonTone = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg';

export interface ButtonStyle {
  tone?: ButtonTone;
  size?: ButtonSize;
}

const tones: Record<ButtonTone, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border-line-strong bg-surface text-ink hover:bg-sunken',
  quiet: 'border-transparent text-ink hover:bg-sunken',
  danger: 'border-transparent bg-danger text-on-danger hover:bg-danger-strong',
};

const sizes: Record<ButtonSize, string> = {
  sm: 'min-h-8 gap-1.5 px-3 text-sm',
  md: 'min-h-10 gap-2 px-4 text-sm',
  lg: 'min-h-12 gap-2 px-6 text-base',
};

/** Returns button classes for the few elements that have the style of a button but are not a `<button>` or a link. */
export function buttonClass({ tone = 'secondary', size = 'md' }: ButtonStyle): string {
  return clsx(
    'inline-flex items-center justify-center rounded-md border font-medium whitespace-nowrap',
    'transition-colors duration-100 touch:min-h-11',
    'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
    // A disabled button also dims its focus outline, so the text color keeps the outline visible.
    'aria-disabled:outline-ink',
    tones[tone],
    sizes[size],
  );
}

interface ButtonProps extends ComponentProps<'button'>, ButtonStyle {
  /** True while the action is in progress. The button then displays a spinner, keeps the focus and ignores presses. */
  pending?: boolean;
  icon?: ReactNode;
}

/**
 * A button. `type` defaults to `button`. With `aria-disabled`, it looks disabled, stays in the tab order, ignores
 * presses and does not submit.
 */
export function Button({ tone, size, pending = false, icon, type = 'button', ...rest }: ButtonProps): ReactNode {
  const { className, children, onClick, 'aria-disabled': ariaDisabled, ...props } = rest;
  const idle = pending || ariaDisabled === true || ariaDisabled === 'true';
  return (
    <button
      {...props}
      aria-busy={pending || undefined}
      aria-disabled={idle || undefined}
      className={clsx(buttonClass({ tone, size }), className)}
      onClick={idle ? undefined : onClick}
      type={idle ? 'button' : type}
    >
      {pending ? <Spinner /> : icon}
      {children}
    </button>
  );
}
