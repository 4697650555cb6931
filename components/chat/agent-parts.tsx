'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense } from 'react';
import type { Part } from '../../lib/protocol/a2a/core/model';
import type { PartPlace } from '../payments/use-orders';
import { lazyPart } from '../ui/lazy-part';
import { Markdown } from './markdown';
import { PlainText } from './parts/plain-text';
import { withKeys } from './to-view';

// Most of the chat's script; a conversation without a part for a card needs none of it.
const ForeignPart = lazyPart(async () => (await import('./foreign-part')).ForeignPart);

type TextPart = Part & { kind: 'text' };

export interface AgentPartsProps {
  parts: Part[];
  /** Where they came; which part it was is added. Null for parts that are not of a conversation. */
  source: Omit<PartPlace, 'part'> | null;
  agentName: string;
  /** More of the last text may come. */
  streaming?: boolean;
  /** Sends a message in the person's name, for a button on a card. */
  onReply?: (text: string) => void;
}

/** What an agent said, part by part: text as Markdown unless it says that it is plain, all else on cards. */
export function AgentParts({ parts, source, agentName, streaming = false, onReply }: AgentPartsProps): ReactNode {
  const t = useTranslations('chat.agentParts');
  const last = parts.at(-1);
  return withKeys(parts).map(({ key, part }, at) => {
    if (part.kind === 'text' && isProse(part, 'text/markdown')) {
      return <Markdown key={key} streaming={streaming && part === last} text={part.text} />;
    }
    if (part.kind === 'text' && isProse(part, 'text/plain') && !part.filename)
      return <PlainText key={key} text={part.text} />;
    return (
      <Suspense fallback={<p className="text-sm text-muted">{t('loading')}</p>} key={key}>
        <ForeignPart agentName={agentName} onReply={onReply} part={part} place={source && { ...source, part: at }} />
      </Suspense>
    );
  });
}

/** True for text of that type; text without a type is Markdown. */
function isProse(part: TextPart, type: 'text/plain' | 'text/markdown'): boolean {
  return (part.mediaType ?? 'text/markdown').split(';', 1)[0]?.trim().toLowerCase() === type;
}
