'use client';

import { type ReactNode, useMemo } from 'react';
import { checkOffer, expiryOf } from '../../../lib/protocol/ap2/check-offer';
import { type Offer, readCart } from '../../../lib/protocol/ap2/read-cart';
import type { JsonValue } from '../../../lib/protocol/json';
import { Badge } from '../../ui/badge';
import { CartIcon } from '../../ui/icons';
import { CardFrame } from './card-frame';
import { MarkedText } from './marked-text';
import { OfferActions } from './offer-actions';
import { OfferChecks, OfferVerdict } from './offer-checks';
import { OfferExpiry } from './offer-expiry';
import { OfferLines } from './offer-lines';
import { UnreadableCart } from './unreadable-cart';
import { useNowUntil } from './use-now-until';

export interface CartCardProps {
  value: JsonValue;
  agentName: string;
  onReply?: (text: string) => void;
}

/** A cart that an agent offers: every line, the total, how long it holds, and what of it holds at all. */
export function CartCard({ value, agentName, onReply }: CartCardProps): ReactNode {
  const reading = useMemo(() => readCart(value), [value]);
  if (!reading.ok) return <UnreadableCart faults={reading.faults} value={value} />;
  return <OfferCard agentName={agentName} offer={reading.offer} onReply={onReply} />;
}

interface OfferCardProps {
  offer: Offer;
  agentName: string;
  onReply?: (text: string) => void;
}

function OfferCard({ offer, agentName, onReply }: OfferCardProps): ReactNode {
  const expiresAt = expiryOf(offer);
  const now = useNowUntil(expiresAt ?? 0);
  const checks = checkOffer(offer, now ?? 0);
  const expired = now !== null && expiresAt !== null && now >= expiresAt;
  return (
    <CardFrame label="Cart">
      <div className="space-y-3 p-4">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
          <div className="flex min-w-0 gap-2.5">
            <CartIcon className="mt-0.5 shrink-0 text-accent" size={20} />
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <p className="text-base leading-snug font-semibold">
                {offer.merchantName ? <MarkedText text={offer.merchantName} /> : 'Merchant not named'}
              </p>
              <p className="text-xs text-muted">
                Offered by the agent <MarkedText text={agentName} />
              </p>
            </div>
          </div>
          <Badge tone="warn">Not verified</Badge>
        </div>
        <OfferVerdict checks={checks} />
        <OfferLines offer={offer} />
        {expiresAt === null ? null : <OfferExpiry expiresAt={expiresAt} now={now} />}
        {offer.address.length > 0 ? (
          <p className="text-xs text-muted [overflow-wrap:anywhere]">
            Goes to <MarkedText text={offer.address.join(', ')} />
          </p>
        ) : null}
        <OfferChecks checks={checks} signed={offer.signed} />
        <OfferActions expired={expired} offer={offer} onReply={onReply} />
      </div>
    </CardFrame>
  );
}
