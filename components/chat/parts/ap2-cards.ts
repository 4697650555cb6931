// One chunk: whoever is sent a cart is soon sent the rest.
export { CartCard } from './cart-card';
export { AddressCard, ChallengeCard, IntentCard, MethodDataCard, X402Card } from './notice-cards';
export { PaymentMandateCard } from './payment-mandate-card';
export { ReceiptCard } from './receipt-card';
