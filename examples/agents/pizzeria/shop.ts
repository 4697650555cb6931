import { createMerchant, type Merchant, type SignedCart } from '@parley/agent';
import type { JWK } from '@parley/agent/ap2';
import { type AgentEnvironment, EnvironmentError } from '../shared/environment';
import type { CartMandate } from './cart';
import { newMerchantKey, signBadly, type Trick } from './tricks';

/** The payment side of the pizzeria. */
export interface Shop {
  merchant: Merchant;
  /** Customers may ask for a trick (see tricks). */
  playsTricks: boolean;
  /** Signs a cart, or applies the trick to it. */
  sign(cart: CartMandate, trick: Trick, earlier: SignedCart | null): Promise<SignedCart | CartMandate>;
}

const cartTricks: Trick[] = ['tampered-total', 'wrong-key', 'expired', 'unsigned', 'replayed', 'other-merchant'];

/**
 * Opens the shop with the key of `MERCHANT_KEY` (a private JWK), or with a generated one for the lifetime of the
 * process. The public key is served at the agent's own origin, where Parley fetches it.
 * @throws {EnvironmentError} if the variable is not a key
 */
export function openShop({ publicUrl, parleyUrl, agent, merchantKey, playsTricks }: AgentEnvironment): Shop {
  const key = merchantKey === null ? newMerchantKey() : readKey(merchantKey);
  const merchant = createMerchant({ url: parleyUrl, agent, issuer: publicUrl, key });
  return {
    merchant,
    playsTricks,
    async sign(cart, trick, earlier) {
      if (!cartTricks.includes(trick)) return merchant.signCart(cart.contents);
      return signBadly(cart, trick, { key, issuer: publicUrl, audience: parleyUrl, earlier });
    },
  };
}

function readKey(text: string): JWK {
  try {
    const key: JWK = JSON.parse(text);
    if (key.kty === 'EC' && key.crv === 'P-256' && key.d && key.kid) return key;
  } catch {
    // Invalid JSON is not a key either.
  }
  throw new EnvironmentError('MERCHANT_KEY is no private JWK of an EC key on P-256 with a kid');
}
