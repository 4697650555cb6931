'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { Artifact } from '../../../lib/protocol/a2a/core/model';
import { ChevronRightIcon } from '../../ui/display/action-icons';
import { EmptyState } from '../../ui/display/card';
import { UntrustedText } from '../../ui/display/untrusted-text';
import type { CardReply } from '../state/message-content';
import { ArtifactDetail, ArtifactFacts, StreamingIndicator } from './artifact-detail';
import { type ArtifactView, readArtifact } from './read-artifact';

export interface ArtifactsPanelProps {
  artifacts: Artifact[];
  /** Ids of artifacts that are still being streamed. */
  streamingIds: ReadonlySet<string>;
  /** The open artifact; null shows the list. */
  selectedId: string | null;
  onSelect: (artifactId: string | null) => void;
  agentName: string;
  /** Sends a message, for the buttons of a cart. */
  onReply?: (reply: CardReply) => void;
}

/** The agent's artifacts: a list, and one complete artifact. Has no heading of its own; its content starts at `h3`. */
export function ArtifactsPanel({
  artifacts,
  streamingIds,
  selectedId,
  onSelect,
  ...card
}: ArtifactsPanelProps): ReactNode {
  const t = useTranslations('chat.artifactsPanel');
  const selected = artifacts.find(({ artifactId }) => artifactId === selectedId);
  // The return to the list focuses the row that was open.
  const lastSelectedId = useRef<string | null>(null);
  if (selected) {
    return (
      <ArtifactDetail
        artifact={selected}
        key={selected.artifactId}
        streaming={streamingIds.has(selected.artifactId)}
        onBack={() => {
          lastSelectedId.current = selected.artifactId;
          onSelect(null);
        }}
        {...card}
      />
    );
  }
  if (artifacts.length === 0) {
    return (
      <EmptyState level={3} title={t('emptyTitle')}>
        {t('empty')}
      </EmptyState>
    );
  }
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
      {artifacts.map((artifact) => (
        <li key={artifact.artifactId}>
          <Row
            artifact={artifact}
            streaming={streamingIds.has(artifact.artifactId)}
            onSelect={onSelect}
            autoFocus={lastSelectedId.current === artifact.artifactId}
          />
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  artifact: Artifact;
  streaming: boolean;
  onSelect: (artifactId: string) => void;
  autoFocus: boolean;
}

function Row({ artifact, ...rest }: RowProps): ReactNode {
  const view = useMemo(() => readArtifact(artifact), [artifact]);
  return <ArtifactRow view={view} {...rest} />;
}

export interface ArtifactRowProps {
  view: ArtifactView;
  streaming: boolean;
  onSelect: (artifactId: string) => void;
  /** True if the reader returns from this artifact. */
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
