'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { PartPlace } from '../../payments/use-orders';
import { Button } from '../../ui/button';
import { withMarks } from './mark-hidden';

export interface PageFrameProps {
  place: PartPlace;
  name: string;
  children: ReactNode;
}

/**
 * HTML of an agent, as its source or as a page. The page stands in a frame with an origin of nobody's: nothing in it runs, asks
 * for anything or reaches Parley.
 */
export function PageFrame({ place, name, children }: PageFrameProps): ReactNode {
  const t = useTranslations('parts.pageFrame');
  const [shown, setShown] = useState(false);
  const query = new URLSearchParams({ artifact: place.id, part: String(place.part) });
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
          src={`/api/chat/tasks/${encodeURIComponent(place.taskId)}/page?${query}`}
          title={t('title', { name: withMarks(name) })}
        />
      ) : (
        children
      )}
    </div>
  );
}
