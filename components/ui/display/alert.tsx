import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { CheckIcon, InfoIcon, WarningIcon } from './icons';

export type AlertTone = 'info' | 'good' | 'warn' | 'danger';

const tones: Record<AlertTone, { frame: string; icon: typeof InfoIcon }> = {
  info: { frame: 'border-accent/30 bg-accent-soft [&>svg]:text-accent', icon: InfoIcon },
  good: { frame: 'border-good/30 bg-good-soft [&>svg]:text-good', icon: CheckIcon },
  warn: { frame: 'border-warn/35 bg-warn-soft [&>svg]:text-warn', icon: WarningIcon },
  danger: { frame: 'border-danger/30 bg-danger-soft [&>svg]:text-danger', icon: WarningIcon },
};

export interface AlertProps {
  tone?: AlertTone;
  title?: ReactNode;
  /** Announces the alert when it appears: `assertive` for an error caused by a user action, otherwise `polite`. */
  live?: 'polite' | 'assertive';
  className?: string;
  children?: ReactNode;
}

/** A persistent message in the page, such as a form error or a state. For transient messages, see `toast`. */
export function Alert({ tone = 'info', title, live, className, children }: AlertProps): ReactNode {
  const Icon = tones[tone].icon;
  return (
    <div
      className={clsx('flex gap-3 rounded-lg border px-4 py-3 text-sm text-ink', tones[tone].frame, className)}
      role={live === 'assertive' ? 'alert' : live === 'polite' ? 'status' : undefined}
    >
      <Icon className="mt-0.5 shrink-0" />
      <div className="min-w-0 space-y-1">
        {title ? <p className="font-semibold">{title}</p> : null}
        {children ? <div>{children}</div> : null}
      </div>
    </div>
  );
}

/**
 * A sentence of the API or of an agent, such as the reason of a failure. It is in English, so pages in other languages
 * quote it.
 */
export function QuotedMessage({ message }: { message: string }): ReactNode {
  const t = useTranslations('ui.quotedMessage');
  return t.rich('text', { message, quote: (chunks) => <span lang="en">{chunks}</span> });
}
