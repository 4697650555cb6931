'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { Artifact } from '../../../lib/protocol/a2a/core/model';
import type { PartRef } from '../../payments/offers/use-orders';
import { Button } from '../../ui/controls/button';
import { CopyButton } from '../../ui/controls/copy-button';
import { ArrowLeftIcon } from '../../ui/display/action-icons';
import { useFormat } from '../../ui/display/format';
import { UntrustedText, withIndex } from '../../ui/display/untrusted-text';
import { PartCard } from '../parts/part-card';
import { SaveButton } from '../parts/save-button';
import type { CardReply } from '../state/message-content';
import { type ArtifactPiece, type ArtifactView, readArtifact } from './read-artifact';

interface ArtifactDetailProps {
  artifact: Artifact;
  streaming: boolean;
  onBack: () => void;
  agentName: string;
  onReply?: (reply: CardReply) => void;
}

/** One complete artifact, with copy and download. */
export function ArtifactDetail({ artifact, streaming, onBack, ...card }: ArtifactDetailProps): ReactNode {
  const t = useTranslations('parts.artifactDetail');
  const tArtifact = useTranslations('parts.artifact');
  const view = useMemo(() => readArtifact(artifact), [artifact]);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  return (
    <div className="space-y-4">
      <div className="space-y-2">
        <Button className="-ms-3" icon={<ArrowLeftIcon size={16} />} onClick={onBack} size="sm" tone="quiet">
          {t('back')}
        </Button>
        <h3 className="text-lg font-semibold outline-none [overflow-wrap:anywhere]" ref={title} tabIndex={-1}>
          <UntrustedText text={view.name ?? tArtifact('unnamed')} />
        </h3>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
          <span>
            <ArtifactFacts view={view} />
          </span>
          {streaming ? <StreamingIndicator /> : null}
        </p>
        {view.description ? (
          <p className="text-sm text-muted [overflow-wrap:anywhere]" dir="auto">
            <UntrustedText text={view.description} />
          </p>
        ) : null}
      </div>
      {withIndex(view.pieces).map(({ item, index }) => (
        <Piece
          key={index}
          onlyOne={view.pieces.length === 1}
          piece={item}
          partRef={toPartRef(artifact.artifactId, item.part)}
          streaming={streaming && index === view.pieces.length - 1}
          {...card}
        />
      ))}
    </div>
  );
}

interface PieceProps {
  piece: ArtifactPiece;
  partRef: PartRef;
  /** True if the title above already contains its name. */
  onlyOne: boolean;
  streaming: boolean;
  agentName: string;
  onReply?: (reply: CardReply) => void;
}

/** A piece of an artifact. Files have their own download; text and data have it here. */
function Piece({ piece, onlyOne, ...card }: PieceProps): ReactNode {
  const t = useTranslations('parts.artifactDetail');
  const tArtifact = useTranslations('parts.artifact');
  const { view, file, copy } = piece;
  const name = file ? (file.name ?? tArtifact('unnamedFile', { ending: file.extension })) : '';
  const isCode = view.kind === 'plain' && view.mediaType !== 'text/plain';
  const hasOwnActions = view.kind === 'file' || view.kind === 'link-file' || view.kind === 'json';
  return (
    <div className="space-y-2">
      {hasOwnActions || !file ? null : (
        <div className="flex flex-wrap items-center gap-2">
          {onlyOne ? null : (
            <p className="min-w-0 flex-1 text-xs text-muted [overflow-wrap:anywhere]">
              <UntrustedText text={name} />
            </p>
          )}
          <SaveButton bytes={file.bytes} name={name} />
          {copy === null || isCode ? null : <CopyButton text={copy} tone="secondary" what={t('textOf', { name })} />}
        </div>
      )}
      <PartCard view={view} {...card} />
    </div>
  );
}

/** Returns the reference to a part of the artifact with that key (`artifactKey`). */
function toPartRef(key: string, part: number): PartRef {
  const gap = key.indexOf(' ');
  return { taskId: key.slice(0, gap), kind: 'artifact', id: key.slice(gap + 1), part };
}

/** An artifact's kind and size. */
export function ArtifactFacts({ view }: { view: ArtifactView }): ReactNode {
  const t = useTranslations('parts.artifact');
  const format = useFormat();
  const kind = view.kind === 'parts' ? t('parts', { count: view.pieces.length }) : t(`kind.${view.kind}`);
  return view.size > 0 ? t('facts', { kind, size: format.bytes(view.size) }) : kind;
}

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
