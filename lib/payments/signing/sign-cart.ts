import { env } from '../../platform/env';
import { newUuid } from '../../platform/ids';
import { paymentSigner } from '../../tokens/payment-signer';

/** How long the signature of a cart is good (ap2.md §1.3), milliseconds. */
const lifetimeMs = 15 * 60_000;

/**
 * The `merchant_authorization` of a cart that Parley signs for a listing (ap2.md §5): we are the issuer, the listing is the
 * subject, we alone are the audience. Nothing of the cart but its hash gets into what is signed, so it can be taken for
 * neither a mandate nor a receipt.
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
    exp: iat + lifetimeMs / 1000,
    jti: newUuid(),
    cart_hash: cart.cartHash,
  });
}
