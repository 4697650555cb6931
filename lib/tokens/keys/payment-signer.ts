import { type SigningJwk, writeJwt } from '../../protocol/oauth/jwt';
import { findSigner } from './keys';

/** The payment key (`ap2-`, ES256): its public JWK and a function that signs JWTs with it. */
export interface PaymentSigner {
  publicJwk: SigningJwk;
  sign: (typ: string, claims: object) => Promise<string>;
}

/**
 * Returns the payment key that signs at `now`. Only `lib/payments/ap2` may import this file, because it signs only data
 * that it reads from the database. No code that handles agent output may import it (.dependency-cruiser.cjs).
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
