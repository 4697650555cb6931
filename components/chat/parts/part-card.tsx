'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense } from 'react';
import type { PartPlace } from '../../payments/use-orders';
import { CodeBlock } from '../../ui/code-block';
import { lazyPart } from '../../ui/lazy-part';
import { Skeleton } from '../../ui/skeleton';
import { Markdown } from '../markdown';
import type { PartView } from '../part-view';
import { FileCard, LinkFileCard } from './file-card';
import { withMarks } from './mark-hidden';
import { PartBoundary } from './part-boundary';
import { PlainText } from './plain-text';

// Cards are loaded when there is something for them to show.
const Ap2Card = lazyPart(async () => (await import('./ap2-card')).Ap2Card);
const TableCard = lazyPart(async () => (await import('./table-card')).TableCard);
const ChartCard = lazyPart(async () => (await import('./chart-card')).ChartCard);
const PageFrame = lazyPart(async () => (await import('./page-frame')).PageFrame);
const JsonCard = lazyPart(async () => (await import('./json-card')).JsonCard);

export interface PartCardProps {
  view: PartView;
  /** Where in the conversation it came; a cart without one is data like other data. */
  place: PartPlace | null;
  /** The listing that the part came from; a cart names it beside the merchant. */
  agentName: string;
  /** Sends a message in the person's name, for a button on the card. Without it a card has no such button. */
  onReply?: (text: string) => void;
  /** More of this text may come. */
  streaming?: boolean;
}

/** A part of a message or artifact, each kind in its own form. It fetches nothing and runs nothing. */
export function PartCard(props: PartCardProps): ReactNode {
  const t = useTranslations('parts.partCard');
  return (
    <PartBoundary fallback={<p className="text-sm text-muted">{t('failed')}</p>}>
      <Suspense fallback={<Loading />}>
        <PartBody {...props} />
      </Suspense>
    </PartBoundary>
  );
}

function Loading(): ReactNode {
  const t = useTranslations('parts.partCard');
  return (
    <div role="status">
      <Skeleton className="h-24 w-full" />
      <span className="sr-only">{t('loading')}</span>
    </div>
  );
}

function PartBody({ view, place, agentName, onReply, streaming }: PartCardProps): ReactNode {
  const t = useTranslations('parts.pageFrame');
  const tArtifact = useTranslations('parts.artifact');
  switch (view.kind) {
    case 'markdown':
      return <Markdown streaming={streaming} text={view.text} />;
    case 'plain':
      return asPage(<Plain {...view} />, { ...view, place, name: view.name ?? t('unnamed') });
    case 'file':
      return asPage(<FileCard file={view.file} />, {
        ...view.file,
        place,
        name: view.file.name ?? tArtifact('unnamed'),
      });
    case 'link-file':
      return <LinkFileCard {...view} />;
    case 'table':
      return <TableCard table={view.table} />;
    case 'chart':
      return <ChartCard chart={view.chart} />;
    case 'json':
      return <JsonCard value={view.value} />;
    case 'hidden':
      return null;
    default:
      return <Ap2Card {...view} agentName={agentName} onReply={onReply} place={place} />;
  }
}

interface PagePart {
  place: PartPlace | null;
  name: string;
  mediaType: string;
}

/** HTML in an artifact may be looked at as the page that it is. */
function asPage(source: ReactNode, { place, name, mediaType }: PagePart): ReactNode {
  if (mediaType !== 'text/html' || place?.kind !== 'artifact') return source;
  return (
    <PageFrame name={name} place={place}>
      {source}
    </PageFrame>
  );
}

/** Prose as it is; anything else that is text, such as CSV or HTML source, as code. */
function Plain({ text, mediaType, name }: PartView & { kind: 'plain' }): ReactNode {
  if (mediaType === 'text/plain' && !name) return <PlainText text={text} />;
  return <CodeBlock code={text} label={withMarks(name ?? mediaType)} maxHeight="28rem" />;
}
