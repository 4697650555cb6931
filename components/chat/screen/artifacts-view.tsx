'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useCallback, useSyncExternalStore } from 'react';
import { IconButton } from '../../ui/controls/button';
import { CloseIcon } from '../../ui/display/icons';
import { LazyDialog, lazyComponent } from '../../ui/overlays/lazy';
import type { CardReply } from '../state/message-content';
import type { ArtifactSet } from '../state/to-artifacts';

const ArtifactsPanel = lazyComponent(async () => (await import('../artifacts/artifacts-panel')).ArtifactsPanel);

export interface ArtifactsViewProps extends ArtifactSet {
  agentName: string;
  /** The open artifact; null for the list. */
  selectedId: string | null;
  onSelect: (id: string | null) => void;
  /** Sends a message on behalf of the user, for a button on a card. */
  onReply?: (reply: CardReply) => void;
  onClose: () => void;
}

/** The conversation's artifacts, in a side panel if there is room, otherwise in a sheet. */
export function ArtifactsView({ onClose, ...panelProps }: ArtifactsViewProps): ReactNode {
  const t = useTranslations('chat.artifactsView');
  const isWide = useMediaQuery('(min-width: 80rem)');
  const panel = (
    <Suspense fallback={<p className="text-sm text-muted">{t('loading')}</p>}>
      <ArtifactsPanel {...panelProps} />
    </Suspense>
  );
  if (!isWide) {
    return (
      <LazyDialog onOpenChange={onClose} shape="sheet-end" title={t('title')}>
        {panel}
      </LazyDialog>
    );
  }
  return (
    <aside
      aria-labelledby="artifacts-title"
      className="flex w-[26rem] shrink-0 flex-col border-s border-line bg-surface"
    >
      <div className="flex min-h-14 items-center justify-between border-b border-line pe-2 ps-5">
        <h2 className="font-semibold" id="artifacts-title">
          {t('title')}
        </h2>
        <IconButton label={t('close')} onClick={onClose} size="sm">
          <CloseIcon />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-5">{panel}</div>
    </aside>
  );
}

/** Returns true while the media query matches; false on the server. */
function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}
