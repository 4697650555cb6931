import type { CoreCard } from '../protocol/a2a/core/card';
import { isPaymentExtension } from '../protocol/ap2/extensions';
import type { Badge, SignatureVerdict } from './schema';

/** What the card promises: it asks for a credential, takes payments, streams, pushes; and that its signature is good. */
export function badgesOf(card: CoreCard, signature: SignatureVerdict): Badge[] {
  const badges: Badge[] = [];
  if (Object.keys(card.securitySchemes).length > 0) badges.push('authenticated');
  if (card.capabilities.extensions.some(({ uri }) => isPaymentExtension(uri))) badges.push('payments');
  if (card.capabilities.streaming) badges.push('streaming');
  if (card.capabilities.pushNotifications) badges.push('push-notifications');
  if (signature.state === 'verified') badges.push('signed');
  return badges;
}
