'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useContext, useMemo } from 'react';
import {
  noSurfaces,
  type PlacedSurface,
  placePart,
  surfacesAt,
} from '../../../../lib/protocol/a2ui/messages/place-surfaces';
import type { JsonValue } from '../../../../lib/protocol/json';
import type { PartRef } from '../../../payments/offers/use-orders';
import { ReplyRulesContext } from '../../state/agent-item';
import type { CardReply } from '../../state/message-content';
import type { ThreadItem } from '../../state/to-items';
import { SurfaceFrame } from './surface-frame';
import { placementOf, positionOf, turnOf } from './thread-surfaces';
import { useThrottled } from './use-surface';

interface A2uiCardProps {
  value: JsonValue;
  /** Null outside of a conversation. */
  partRef: PartRef | null;
  agentName: string;
  /** Sends an action as the answer to the agent's question. */
  onReply?: (reply: CardReply) => void;
}

/**
 * The surfaces of a conversation that are displayed in this part: the first part of the latest turn that changed them.
 * Outside of a conversation, the surfaces that the part alone describes.
 */
export function A2uiCard({ value, partRef, agentName, onReply }: A2uiCardProps): ReactNode {
  const t = useTranslations('parts.a2ui');
  const rules = useContext(ReplyRulesContext);
  const position = partRef && rules ? positionOf(partRef) : '';
  const items = useThrottled(rules?.items);
  const placement = useMemo(
    () =>
      items && position !== '' ? placementOf(items) : placePart(noSurfaces, { turn: '', position: '', data: value }),
    [items, position, value],
  );
  const placed = surfacesAt(placement, position);
  const last = items?.at(-1);
  const isSending = last?.kind === 'user' && last.delivery === 'sending';
  return (
    <>
      {placed.map((one) => (
        <SurfaceFrame
          agentName={agentName}
          isSending={isSending}
          key={one.key}
          onReply={replyTo(one, items ?? [], { onReply, onStart: rules?.reply })}
          placed={one}
          phase={turnOf(items ?? [], one.turn)?.phase ?? 'done'}
        />
      ))}
      {placement.moved.has(position) ? <Note>{t('moved')}</Note> : null}
      {placement.cut.has(position) ? <Note>{t('cut')}</Note> : null}
    </>
  );
}

function Note({ children }: { children: ReactNode }): ReactNode {
  return <p className="text-sm text-muted">{children}</p>;
}

interface Senders {
  onReply: ((reply: CardReply) => void) | undefined;
  onStart: ((reply: CardReply) => void) | undefined;
}

/**
 * Returns what sends an action: as the answer if the agent waits for one, as a new message if its turn is complete and
 * the last of the conversation. Undefined if the surface is history.
 */
function replyTo(
  { turn, surface }: PlacedSurface,
  items: readonly ThreadItem[],
  { onReply, onStart }: Senders,
): ((reply: CardReply) => void) | undefined {
  const item = turnOf(items, turn);
  if (!item || surface.isDeleted) return undefined;
  if (item.phase === 'asks') return onReply;
  return item.phase === 'done' && items.at(-1) === item ? onStart : undefined;
}
