import { writeJwt } from '../protocol/oauth/jwt';
import { findSigner } from './keys';

/**
 * A JWT by the key for payments (`ap2-`, ES256). Only `lib/payments/signing` may import this, and by this path: what is signed
 * there is read from an order, and nothing that an agent says leads there (.dependency-cruiser.cjs).
 */
export async function signPayment(typ: string, claims: object, now: Date): Promise<string> {
  const { kid, sign } = await findSigner('ap2', now);
  const text = writeJwt({ alg: 'ES256', typ, kid }, claims);
  return `${text}.${sign(text).toString('base64url')}`;
}
