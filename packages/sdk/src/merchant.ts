import { type JWK, SignJWT } from 'jose';
import { hashJson, hashText } from './ap2/digest.js';
import { isJsonObject, type JsonObject, readStrictJson } from './ap2/strict-json.js';
import { type PairFault, verifyPair } from './ap2/verify-pair.js';
import { type PaymentMandateFault, verifyPaymentMandate } from './ap2/verify-payment-mandate.js';
import { type MandateData, readMandateData } from './mandate-data.js';
import { createMandateKeys } from './mandate-keys.js';
import { createReplayCache } from './replay-cache.js';
import { type Fetch, originOf } from './request.js';

export interface MerchantOptions {
  /** Origin of the Parley that lists the agent: `https://parley.example`. */
  url: string;
  /** The agent's slug at Parley. */
  agent: string;
  /** The issuer in the listing, usually the agent's origin. */
  issuer: string;
  /** A private EC key on P-256 with a `kid`; `jwks()` returns its public key. */
  key: JWK;
  /**
   * Records a mandate's id until `until`, and returns true if it was recorded before. Defaults to memory: provide a
   * store that all your processes share.
   */
  seen?: (id: string, until: Date) => boolean | Promise<boolean>;
  fetch?: Fetch;
  /** Milliseconds since 1970; for tests. */
  now?: () => number;
}

/** A CartMandate of AP2 0.1 with the merchant's signature. */
export interface SignedCart {
  contents: JsonObject;
  merchant_authorization: string;
}

/** `ap2.checkout` of AP2 0.2: the checkout is inside the JWT. */
export interface SignedCheckout {
  cart_id: string;
  checkout_jwt: string;
  checkout_hash: string;
}

export type MandateVerdict =
  | { ok: true; orderId: string | null }
  | { ok: false; code: PaymentMandateFault | PairFault };

/** A merchant's response to a mandate: the merchant's order number, or an error. */
export type ReceiptOutcome = { orderId: string } | { error: string; description: string };

/** An agent that sells: signs offers, verifies payments, and issues receipts. */
export interface Merchant {
  /** Signs the `contents` of a CartMandate; send it as `{'ap2.mandates.CartMandate': …}`. */
  signCart(contents: object): Promise<SignedCart>;
  /** Signs a checkout in UCP's shape; send it as `{'ap2.checkout': …}`. */
  signCheckout(checkout: object & { id: string }): Promise<SignedCheckout>;
  /**
   * Verifies the data of the payment part: Parley's signature, audience and times, that it pays exactly this offer, and
   * that it is not a replay. The returned `orderId` is Parley's.
   * @throws {ParleyError} `unreachable` while Parley's keys cannot be fetched
   */
  verifyMandate(data: unknown, offer: SignedCart | SignedCheckout): Promise<MandateVerdict>;
  /** Creates a signed CheckoutReceipt for the mandate; send it as `{'ap2.CheckoutReceipt': …}` on the same task. */
  receipt(data: unknown, outcome: ReceiptOutcome): Promise<string>;
  /** Returns the public key, to be served at the issuer's `/.well-known/jwks.json`. */
  jwks(): { keys: JWK[] };
}

/** An offer's lifetime, seconds. */
const OFFER_LIFETIME_SECONDS = 900;

/** Creates a merchant. @throws {TypeError} if an option is missing or the key cannot sign carts */
export function createMerchant(options: MerchantOptions): Merchant {
  const { agent, issuer, key, fetch = globalThis.fetch.bind(globalThis), now = Date.now } = options;
  if (!agent || !issuer) throw new TypeError('createMerchant: expected agent and issuer');
  const { kty, crv, x, y, d, kid } = key;
  if (kty !== 'EC' || crv !== 'P-256' || !d || !kid) {
    throw new TypeError('createMerchant: expected key to be a private EC JWK on P-256 with a kid');
  }
  const parley = originOf(options.url);
  const publicKey: JWK = { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' };
  const mandateKeys = createMandateKeys({ parley, fetch, now });
  const seen = options.seen ?? createReplayCache(now);
  const sign = (claims: object): Promise<string> =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' }).sign(key);

  /** Returns the claims of an offer. They expire with the offer itself if that is earlier. */
  function offerClaims(endsAt: unknown): object {
    const iat = Math.floor(now() / 1000);
    const end = typeof endsAt === 'string' ? Math.floor(Date.parse(endsAt) / 1000) : Number.NaN;
    const exp = end > iat && end < iat + OFFER_LIFETIME_SECONDS ? end : iat + OFFER_LIFETIME_SECONDS;
    return { iss: issuer, sub: issuer, aud: parley, iat, exp, jti: crypto.randomUUID() };
  }

  async function verify(data: MandateData, offer: SignedCart | SignedCheckout): Promise<MandateVerdict> {
    const until = new Date(now() + OFFER_LIFETIME_SECONDS * 1000);
    const common = { now: new Date(now()), seen: (id: string) => seen(id, until) };
    const keys = await mandateKeys();
    if ('contents' in offer) {
      const expected = { ...common, keys, audience: issuer, contents: offer.contents, merchantAgent: agent };
      const read = await verifyPaymentMandate(data.payment01, expected);
      return read.ok ? { ok: true, orderId: orderIdOf(read.contents) } : read;
    }
    const read = await verifyPair(
      { checkout: data.checkout, payment: data.payment },
      {
        ...common,
        keys,
        merchantKeys: [publicKey],
        audience: { checkout: issuer, payment: issuer },
        latestCheckout: offer.checkout_hash,
      },
    );
    return read.ok ? { ok: true, orderId: null } : read;
  }

  return {
    async signCart(contents) {
      const cart = toPlainJson(contents);
      const claims = { ...offerClaims(cart.cart_expiry), cart_hash: await hashJson(cart) };
      return { contents: cart, merchant_authorization: await sign(claims) };
    },
    async signCheckout(checkout) {
      const contents = toPlainJson(checkout);
      const jwt = await sign({ ...contents, ...offerClaims(contents.expires_at) });
      return { cart_id: checkout.id, checkout_jwt: jwt, checkout_hash: await hashText(jwt) };
    },
    async verifyMandate(data, offer) {
      return verify(readMandateData(data), offer);
    },
    async receipt(data, outcome) {
      const { checkout, payment01 } = readMandateData(data);
      const paid = isJsonObject(payment01) ? payment01.user_authorization : undefined;
      const reference = await hashText(checkout || String(paid ?? ''));
      const claimed =
        'orderId' in outcome
          ? { status: 'Success', order_id: outcome.orderId }
          : { status: 'Error', error: outcome.error, error_description: outcome.description };
      return sign({ ...claimed, iss: issuer, iat: Math.floor(now() / 1000), reference });
    },
    jwks: () => ({ keys: [publicKey] }),
  };
}

/** Returns the value as parsed by the recipient: without undefined members, dates as strings. @throws {TypeError} */
function toPlainJson(value: object): JsonObject {
  const json = readStrictJson(JSON.stringify(value));
  if (!isJsonObject(json)) throw new TypeError('expected the offer to be an object that can be serialized as JSON');
  return json;
}

function orderIdOf({ payment_response: response }: JsonObject): string | null {
  const details = isJsonObject(response) ? response.details : undefined;
  const id = isJsonObject(details) ? details.order_id : undefined;
  return typeof id === 'string' ? id : null;
}
