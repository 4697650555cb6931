import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useCountdown } from '../payments/use-countdown';

/** A duration in words, such as "12 s". */
export function Duration({ ms }: { ms: number }): ReactNode {
  const t = useTranslations('chat.chain');
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 1) return t('underASecond');
  if (seconds < 60) return t('seconds', { seconds });
  return t('minutes', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
}

/** The time since `from`, counted up; nothing on the server, which does not know when the page is shown. */
export function Elapsed({ from }: { from: string }): ReactNode {
  const now = useCountdown(Number.POSITIVE_INFINITY);
  return now === null ? null : <Duration ms={Math.max(0, now - Date.parse(from))} />;
}
