'use client';

import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cleanLine } from '../../../lib/protocol/a2a/cards/clean-text';
import type { Offer } from '../../../lib/protocol/ap2/read-cart';
import { Button } from '../../ui/button';
import { formatMoney } from './format-money';

export interface OfferActionsProps {
  offer: Offer;
  expired: boolean;
  onReply?: (text: string) => void;
}

/** What a person can do about an offer. Parley takes no payments yet, and the button says so instead of missing. */
export function OfferActions({ offer, expired, onReply }: OfferActionsProps): ReactNode {
  const [replied, setReplied] = useState<string | null>(null);
  const reason = useId();
  // The button that was pressed is gone: the focus goes to what came of it.
  const outcome = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (replied !== null) outcome.current?.focus({ preventScroll: true });
  }, [replied]);
  const { amount } = offer.total;
  const cart = cleanLine(offer.cartId).slice(0, 80);

  function reply(text: string, note: string): void {
    onReply?.(text);
    setReplied(note);
  }

  return (
    <div className="space-y-2 border-t border-line pt-3">
      <div className="flex flex-wrap gap-2">
        <Button aria-describedby={reason} disabled tone="primary">
          Pay {amount.ok ? formatMoney(amount) : null}
        </Button>
        {onReply && replied === null ? (
          <Button onClick={() => reply(`I decline this offer (cart ${cart}).`, 'You declined this offer.')}>
            Decline
          </Button>
        ) : null}
        {onReply && replied === null && expired ? (
          <Button
            onClick={() => reply('The offer has expired. Please make me a new one.', 'You asked for a new offer.')}
            tone="quiet"
          >
            Ask for a new offer
          </Button>
        ) : null}
      </div>
      <div className="text-xs text-muted">
        <p id={reason}>Payment is not available yet. Nothing is charged for this cart.</p>
        <p ref={outcome} role="status" tabIndex={-1}>
          {replied}
        </p>
      </div>
    </div>
  );
}
