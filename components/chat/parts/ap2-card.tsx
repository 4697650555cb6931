import type { ReactNode } from 'react';
import type { Ap2Object } from '../../../lib/protocol/ap2/detect-ap2-object';
import type { PartPlace } from '../../payments/use-orders';
import { CartCard } from './cart-card';
import { JsonCard } from './json-card';
import { AddressCard, ChallengeCard, IntentCard, MethodDataCard, X402Card } from './notice-cards';
import { PaymentMandateCard } from './payment-mandate-card';
import { ReceiptCard } from './receipt-card';

export interface Ap2CardProps extends Ap2Object {
  place: PartPlace | null;
  agentName: string;
  onReply?: (text: string) => void;
}

/** What has to do with paying, each kind in its own form. One chunk: whoever is sent a cart is soon sent the rest. */
export function Ap2Card({ kind, value, place, agentName, onReply }: Ap2CardProps): ReactNode {
  switch (kind) {
    case 'cart':
      if (!place) return <JsonCard value={value} />;
      return <CartCard agentName={agentName} onReply={onReply} place={place} value={value} />;
    case 'payment-mandate':
      return <PaymentMandateCard taskId={place?.taskId ?? null} />;
    case 'receipt':
      return <ReceiptCard taskId={place?.taskId ?? null} value={value} />;
    case 'intent':
      return <IntentCard value={value} />;
    case 'method-data':
      return <MethodDataCard value={value} />;
    case 'address':
      return <AddressCard value={value} />;
    case 'challenge':
      return <ChallengeCard value={value} />;
    case 'x402':
      return <X402Card value={value} />;
  }
}
