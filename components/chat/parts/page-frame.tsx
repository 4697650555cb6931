'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { PartRef } from '../../payments/offers/use-orders';
import { Button } from '../../ui/controls/button';
import { revealInvisible } from '../../ui/display/untrusted-text';

export interface PageFrameProps {
  partRef: PartRef;
  name: string;
  children: ReactNode;
}

/**
 * An agent's HTML, as source or as a page. The page is in a sandboxed frame with an opaque origin, without scripts,
 * requests or access to Parley.
 */
export function PageFrame({ partRef, name, children }: PageFrameProps): ReactNode {
  const t = useTranslations('parts.pageFrame');
  const [shown, setShown] = useState(false);
  const query = new URLSearchParams({ artifact: partRef.id, part: String(partRef.part) });
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button aria-pressed={shown} onClick={() => setShown(!shown)} size="sm">
          {t(shown ? 'asSource' : 'asPage')}
        </Button>
        <p className="min-w-0 flex-1 text-xs text-muted">{t('hint')}</p>
      </div>
      {shown ? (
        <iframe
          className="h-[min(32rem,70dvh)] w-full rounded-lg border border-line bg-white"
          referrerPolicy="no-referrer"
          sandbox=""
          src={`/api/chat/tasks/${encodeURIComponent(partRef.taskId)}/page?${query}`}
          title={t('title', { name: revealInvisible(name) })}
        />
      ) : (
        children
      )}
    </div>
  );
}
