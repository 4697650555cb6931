import type { AgentRecord } from '../../catalog';
import { env } from '../../platform/env';
import { type CheckedCart, checkCart } from '../../protocol/ap2/check-cart';
import { findCartSigner, refreshCartSigner } from '../merchants/cart-signer';

const unknownKeyCodes = new Set(['unknown_key', 'merchant_authorization_invalid']);

/** C1 to C13 of a cart's text, held against who signs for the listing. */
async function checkPinned(text: string, { agent, now }: { agent: AgentRecord; now: Date }): Promise<CheckedCart> {
  const { keys, issuer, subject } = await findCartSigner(agent, now);
  return checkCart(text, { keys, issuer, subject, audience: env().APP_URL, now });
}

/** The same for a cart that has just come: the listing's keys are looked up anew when it names one that is not pinned. */
export async function checkNewOffer(
  text: string,
  { agent, now }: { agent: AgentRecord; now: Date },
): Promise<CheckedCart> {
  const checked = await checkPinned(text, { agent, now });
  if (checked.code === null || !unknownKeyCodes.has(checked.code)) return checked;
  // Also when nothing was fetched: another cart may have had the keys pinned since the first look.
  await refreshCartSigner(agent, now);
  return checkPinned(text, { agent, now });
}
