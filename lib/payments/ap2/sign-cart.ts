import { newUuid } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { paymentSigner } from '../../tokens/keys/payment-signer';
import { CART_SIGNATURE_SECONDS } from '../limits';

/**
 * The `merchant_authorization` of a cart that Parley signs for a listing. Parley is issuer and audience, the listing is
 * the subject. Only the hash of the cart is signed, so the JWT cannot be used as a mandate or receipt.
 */
export async function signCart(cart: { agentId: string; cartHash: string }, now: Date): Promise<string> {
  if (!/^[\w-]{43}$/.test(cart.cartHash)) throw new Error('expected a SHA-256 in base64url');
  const iat = Math.floor(now.getTime() / 1000);
  const { APP_URL } = env();
  const { sign } = await paymentSigner(now);
  return sign('cart+jwt', {
    iss: APP_URL,
    sub: cart.agentId,
    aud: APP_URL,
    iat,
    exp: iat + CART_SIGNATURE_SECONDS,
    jti: newUuid(),
    cart_hash: cart.cartHash,
  });
}
