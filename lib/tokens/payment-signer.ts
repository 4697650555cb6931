import type { SigningJwk } from '../protocol/oauth/jwk';
import { writeJwt } from '../protocol/oauth/jwt';
import { findSigner } from './keys';

/** The key for payments (`ap2-`, ES256): its public half, and what signs JWTs of a type with it. */
export interface PaymentSigner {
  publicJwk: SigningJwk;
  sign: (typ: string, claims: object) => Promise<string>;
}

/**
 * The key for payments as it signs at `now`. Only `lib/payments/signing` may import this, and by this path: what is signed
 * there is read from the database, and nothing that hears an agent leads there (.dependency-cruiser.cjs).
 */
export async function paymentSigner(now: Date): Promise<PaymentSigner> {
  const { kid, publicJwk, sign } = await findSigner('ap2', now);
  return {
    publicJwk,
    sign: async (typ, claims) => {
      const text = writeJwt({ alg: 'ES256', typ, kid }, claims);
      return `${text}.${sign(text).toString('base64url')}`;
    },
  };
}
