import type { ReactNode } from 'react';
import type { Ap2Object } from '../../../lib/protocol/ap2/detect-ap2-object';
import type { PartRef } from '../../payments/offers/use-orders';
import { CartCard } from './cart-card';
import { JsonCard } from './json-card';
import { AddressCard, ChallengeCard, IntentCard, MethodDataCard, X402Card } from './payment-data-cards';
import { PaymentMandateCard } from './payment-mandate-card';
import { ReceiptCard } from './receipt-card';

export interface Ap2CardProps extends Ap2Object {
  partRef: PartRef | null;
  agentName: string;
  onReply?: (text: string) => void;
}

/** AP2 objects, each kind on its own card. One chunk: a cart is soon followed by the rest. */
export function Ap2Card({ kind, value, partRef, agentName, onReply }: Ap2CardProps): ReactNode {
  switch (kind) {
    case 'cart':
      if (!partRef) return <JsonCard value={value} />;
      return <CartCard agentName={agentName} onReply={onReply} partRef={partRef} value={value} />;
    case 'payment-mandate':
      return <PaymentMandateCard taskId={partRef?.taskId ?? null} />;
    case 'receipt':
      return <ReceiptCard taskId={partRef?.taskId ?? null} value={value} />;
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
