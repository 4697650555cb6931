'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense } from 'react';
import type { PartRef } from '../../payments/offers/use-orders';
import { Skeleton } from '../../ui/controls/loading';
import { CodeBlock } from '../../ui/display/code-block';
import { revealInvisible } from '../../ui/display/untrusted-text';
import { lazyComponent } from '../../ui/overlays/lazy';
import type { CardReply } from '../state/message-content';
import { FileCard, LinkFileCard } from './file-card';
import { Markdown } from './markdown';
import { PartBoundary, PlainText } from './part-boundary';
import type { PartView } from './part-view';

// Cards are loaded on demand.
const Ap2Card = lazyComponent(async () => (await import('./payment/ap2-card')).Ap2Card);
const TableCard = lazyComponent(async () => (await import('./table-card')).TableCard);
const ChartCard = lazyComponent(async () => (await import('./chart/chart-card')).ChartCard);
const AgentChoicesCard = lazyComponent(async () => (await import('./agent-choices-card')).AgentChoicesCard);
const FormCard = lazyComponent(async () => (await import('./form/form-card')).FormCard);
const A2uiCard = lazyComponent(async () => (await import('./a2ui/a2ui-card')).A2uiCard);
const ActionAnswer = lazyComponent(async () => (await import('./a2ui/action-answer')).ActionAnswer);
const AppCard = lazyComponent(async () => (await import('./mcp-app/app-card')).AppCard);
const StepsCard = lazyComponent(async () => (await import('./steps-card')).StepsCard);
const PageFrame = lazyComponent(async () => (await import('./page-frame')).PageFrame);
const JsonCard = lazyComponent(async () => (await import('./json-card')).JsonCard);

export interface PartCardProps {
  view: PartView;
  /** The part's source in the conversation. A cart without one is displayed as plain data. */
  partRef: PartRef | null;
  /** The listing that sent the part. A cart displays it next to the merchant. */
  agentName: string;
  /** Sends a message on behalf of the user, for a button on the card. If absent, the card has no such button. */
  onReply?: (reply: CardReply) => void;
  /** True if more of this text may follow. */
  streaming?: boolean;
}

/** A part of a message or artifact, by kind. Fetches and executes nothing. */
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

function PartBody({ view, partRef, agentName, onReply, streaming }: PartCardProps): ReactNode {
  const t = useTranslations('parts.pageFrame');
  const tArtifact = useTranslations('parts.artifact');
  switch (view.kind) {
    case 'markdown':
      return <Markdown streaming={streaming} text={view.text} />;
    case 'plain':
      return asPage(<Plain {...view} />, { ...view, partRef, name: view.name ?? t('unnamed') });
    case 'file':
      return asPage(<FileCard file={view.file} />, {
        ...view.file,
        partRef,
        name: view.file.name ?? tArtifact('unnamed'),
      });
    case 'link-file':
      return <LinkFileCard {...view} />;
    case 'table':
      return <TableCard table={view.table} />;
    case 'chart':
      return <ChartCard chart={view.chart} />;
    case 'agent-choices':
      return <AgentChoicesCard onReply={onReply} value={view.value} />;
    case 'form':
      return <FormCard {...view} agentName={agentName} onReply={onReply} partRef={partRef} />;
    case 'mcp-app':
      return <AppCard agentName={agentName} app={view.app} onReply={onReply} partRef={partRef} />;
    case 'a2ui':
      return <A2uiCard agentName={agentName} onReply={onReply} partRef={partRef} value={view.value} />;
    case 'action':
      return <ActionAnswer {...view} />;
    case 'steps':
      return <StepsCard value={view.value} />;
    case 'json':
      return <JsonCard value={view.value} />;
    case 'hidden':
      return null;
    default:
      return <Ap2Card {...view} agentName={agentName} onReply={onReply} partRef={partRef} />;
  }
}

interface PagePart {
  partRef: PartRef | null;
  name: string;
  mediaType: string;
}

/** HTML in an artifact may be viewed as a page. */
function asPage(source: ReactNode, { partRef, name, mediaType }: PagePart): ReactNode {
  if (mediaType !== 'text/html' || partRef?.kind !== 'artifact') return source;
  return (
    <PageFrame name={name} partRef={partRef}>
      {source}
    </PageFrame>
  );
}

/** Prose as text, and other text, such as CSV or HTML source, as code. */
function Plain({ text, mediaType, name }: PartView & { kind: 'plain' }): ReactNode {
  if (mediaType === 'text/plain' && !name) return <PlainText text={text} />;
  return <CodeBlock code={text} label={revealInvisible(name ?? mediaType)} maxHeight="28rem" />;
}
