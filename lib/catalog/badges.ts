import type { CoreCard } from '../protocol/a2a/core/card';
import type { Badge, SignatureVerdict } from './schema';

/** The AP2 extension under the addresses it has had; Web42's cards name the first one. */
const payments = [
  /^https:\/\/google-a2a\.github\.io\/A2A\/ext(ensions)?\/payments\//i,
  /^https:\/\/github\.com\/google-agentic-commerce\/ap2\//i,
];

/** What the card promises: it asks for a credential, takes payments, streams, pushes; and that its signature is good. */
export function badgesOf(card: CoreCard, signature: SignatureVerdict): Badge[] {
  const badges: Badge[] = [];
  if (Object.keys(card.securitySchemes).length > 0) badges.push('authenticated');
  if (card.capabilities.extensions.some(({ uri }) => payments.some((pattern) => pattern.test(uri))))
    badges.push('payments');
  if (card.capabilities.streaming) badges.push('streaming');
  if (card.capabilities.pushNotifications) badges.push('push-notifications');
  if (signature.state === 'verified') badges.push('signed');
  return badges;
}
