'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense } from 'react';
import type { Part } from '../../../lib/protocol/a2a/core/model';
import type { PartRef } from '../../payments/offers/use-orders';
import { withKeys } from '../../ui/display/untrusted-text';
import { lazyComponent } from '../../ui/overlays/lazy';
import { Markdown } from '../parts/markdown';
import { PlainText } from '../parts/part-boundary';
import type { CardReply } from '../state/message-content';

// Most of the chat's JavaScript, which a conversation without cards does not load.
const RichPart = lazyComponent(async () => (await import('./rich-parts')).RichPart);

type TextPart = Part & { kind: 'text' };

export interface AgentPartsProps {
  parts: Part[];
  /** The source of the parts, to which each part's index is added. Null for parts outside of a conversation. */
  source: Omit<PartRef, 'part'> | null;
  agentName: string;
  /** True if more of the last text may follow. */
  streaming?: boolean;
  /** Sends a message on behalf of the user, for a button on a card. */
  onReply?: (reply: CardReply) => void;
}

/** An agent's output, part by part: text as Markdown unless declared plain, and all other parts as cards. */
export function AgentParts({ parts, source, agentName, streaming = false, onReply }: AgentPartsProps): ReactNode {
  const t = useTranslations('chat.agentParts');
  const last = parts.at(-1);
  return withKeys(parts).map(({ key, part }, index) => {
    if (part.kind === 'text' && isProse(part, 'text/markdown')) {
      return <Markdown key={key} streaming={streaming && part === last} text={part.text} />;
    }
    if (part.kind === 'text' && isProse(part, 'text/plain') && !part.filename)
      return <PlainText key={key} text={part.text} />;
    return (
      <Suspense fallback={<p className="text-sm text-muted">{t('loading')}</p>} key={key}>
        <RichPart agentName={agentName} onReply={onReply} part={part} partRef={source && { ...source, part: index }} />
      </Suspense>
    );
  });
}

/** Returns true for text of that media type. Text without a type is Markdown. */
function isProse(part: TextPart, type: 'text/plain' | 'text/markdown'): boolean {
  return (part.mediaType ?? 'text/markdown').split(';', 1)[0]?.trim().toLowerCase() === type;
}
