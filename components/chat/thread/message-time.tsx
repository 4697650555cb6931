'use client';

import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useClock } from '../../ui/display/date-time';
import { formatOf } from '../../ui/display/format';
import { dayLabel, messageAge } from '../state/chat-time';

/**
 * The time at which a message was sent, in the reader's time zone. The whole date and time is in the tooltip, and
 * replaces it while the keyboard is on the history or inside of the message (`group/log`, `group/message`).
 */
export function MessageTime({ iso }: { iso: string }): ReactNode {
  const t = useTranslations('chat.time');
  const locale = useLocale();
  const clock = useClock();
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return null;
  const age = messageAge(at, clock, locale);
  const full = formatOf(locale, clock.timeZone);
  return (
    <time
      className="shrink-0 text-xs whitespace-nowrap text-muted"
      dateTime={iso}
      suppressHydrationWarning
      title={full.date(iso, 'full')}
    >
      <span className="group-focus-visible/log:hidden group-has-focus-visible/message:hidden" suppressHydrationWarning>
        {age.kind === 'now' ? t('now') : age.kind === 'minutes' ? t('minutes', { minutes: age.minutes }) : age.text}
      </span>
      <span
        className="hidden group-focus-visible/log:inline group-has-focus-visible/message:inline"
        suppressHydrationWarning
      >
        {full.date(iso, 'moment')}
      </span>
    </time>
  );
}

/**
 * The day of the messages that follow. It is positioned in the gap above its parent and takes no space, because the
 * days in the reader's time zone may be known only after hydration.
 */
export function DaySeparator({ iso }: { iso: string }): ReactNode {
  const t = useTranslations('chat.time');
  const locale = useLocale();
  const label = dayLabel(Date.parse(iso), useClock(), locale);
  return (
    <p className="absolute inset-x-0 -top-6 flex h-6 items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      <time dateTime={iso.slice(0, 10)} suppressHydrationWarning>
        {label.kind === 'date' ? label.text : t(label.kind)}
      </time>
    </p>
  );
}
