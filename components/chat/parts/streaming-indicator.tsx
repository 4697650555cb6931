import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';

/** Indicates that more follows. */
export function StreamingIndicator(): ReactNode {
  const t = useTranslations('parts.liveMark');
  return (
    <span className="inline-flex shrink-0 items-center gap-1.5 text-xs font-medium text-accent">
      <span aria-hidden="true" className="size-2 animate-breathe rounded-full bg-accent" />
      {t('writing')}
    </span>
  );
}
