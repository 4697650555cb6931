'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef } from 'react';
import { ChevronRightIcon } from '../../ui/display/action-icons';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { ArtifactFacts } from './artifact-facts';
import type { ArtifactView } from './read-artifact';
import { StreamingIndicator } from './streaming-indicator';

export interface ArtifactRowProps {
  view: ArtifactView;
  streaming: boolean;
  onSelect: (artifactId: string) => void;
  /** The reader returns from this artifact. */
  autoFocus: boolean;
}

/** One artifact in the list. */
export function ArtifactRow({ view, streaming, onSelect, autoFocus }: ArtifactRowProps): ReactNode {
  const t = useTranslations('parts.artifact');
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (autoFocus) button.current?.focus({ preventScroll: true });
  }, [autoFocus]);
  return (
    <button
      className="flex min-h-14 w-full items-center gap-3 px-4 py-2.5 text-start -outline-offset-2 hover:bg-sunken"
      onClick={() => onSelect(view.id)}
      ref={button}
      type="button"
    >
      <span className="min-w-0 flex-1">
        <span className="block text-sm font-medium [overflow-wrap:anywhere]">
          <UntrustedText text={view.name ?? t('unnamed')} />
        </span>
        <span className="block text-xs text-muted">
          <ArtifactFacts view={view} />
        </span>
      </span>
      {streaming ? <StreamingIndicator /> : null}
      <ChevronRightIcon className="shrink-0 text-muted" size={16} />
    </button>
  );
}
