import {
  CHECKOUT_VCT,
  hashJson,
  hashText,
  isJsonObject,
  type JsonObject,
  type JWK,
  PAYMENT_VCT,
  readJws,
  referencesOf,
} from '@parley/agent/ap2';
import { toDecimalText } from './money';
import type { Money, OfferView } from './offer';
import { type SignJwt, writeMandateSdJwt } from './write-sd-jwt';

/** What an approved order says; every mandate is written from this and from nothing else. */
export interface MandateFacts {
  /** Parley. */
  issuer: string;
  /** The merchant's issuer: whom mandates are for. */
  audience: string;
  /** The merchant's slug. */
  merchantAgent: string;
  merchantName: string;
  orderId: string;
  offer: OfferView;
  cartHash: string;
  /** Base64url SHA-256 of what the person approved. */
  approvalHash: string;
  /** How it is paid: never a card number. */
  instrument: { id: string; type: string; description: string };
  now: Date;
  /** At most ten minutes ahead. */
  expiresAt: Date;
}

export interface Signing {
  sign: SignJwt;
  /** The public half of the key that signs. */
  publicJwk: JWK;
  newId: () => string;
}

/** A signed mandate, as it is kept. The id is its `jti`. */
export interface WrittenMandate {
  kind: 'payment-0.1' | 'checkout-0.2' | 'payment-0.2';
  id: string;
  token: string;
  /** What a receipt may refer to it by: over the whole token, and over its JWT alone. */
  reference: string;
  leafReference: string;
  expiresAt: Date;
}

/** What to send, as the data of one part, and what to keep of it. */
export interface WrittenMandates {
  data: JsonObject;
  mandates: WrittenMandate[];
}

/** How carts name payment through Parley (`supported_methods`). */
const PAYMENT_METHOD = 'parley';

/**
 * The mandates for an order: a PaymentMandate for carts of 0.1, the two closed mandates of 0.2 where the merchant signed a
 * checkout. `checkoutJwt` is that of `checkCart`.
 */
export function writeMandates(
  facts: MandateFacts,
  { checkoutJwt, signing }: { checkoutJwt: string | null; signing: Signing },
): Promise<WrittenMandates> {
  return checkoutJwt === null ? writePaymentMandate(facts, signing) : writeMandatePair(facts, { checkoutJwt, signing });
}

/** PaymentMandate of AP2 0.1: an SD-JWT of ours, and a key binding over the hashes of the cart and of the mandate. */
async function writePaymentMandate(facts: MandateFacts, { sign, publicJwk, newId }: Signing): Promise<WrittenMandates> {
  const id = newId();
  const contents = paymentContents(facts, id);
  const { kty, crv, x, y } = publicJwk;
  const issued = await sign('dc+sd-jwt', { ...outerClaims(facts, id), cnf: { jwk: { kty, crv, x, y } } });
  const signed = `${issued}~`;
  const binding = await sign('kb+jwt', {
    iat: toSeconds(facts.now),
    aud: facts.audience,
    nonce: newId(),
    sd_hash: await hashText(signed),
    transaction_data: [facts.cartHash, await hashJson(contents)],
  });
  const token = `${signed}${binding}`;
  const value = { payment_mandate_contents: contents, user_authorization: token };
  const risk = { approval_assertion: facts.approvalHash };
  return {
    data: { 'ap2.mandates.PaymentMandate': value, risk_data: risk },
    mandates: [await toWrittenMandate({ kind: 'payment-0.1', id, token }, facts)],
  };
}

function paymentContents(facts: MandateFacts, id: string): JsonObject {
  const { offer, orderId, cartHash, merchantAgent, now } = facts;
  const detailsId = offer.detailsId ?? offer.cartId;
  return {
    payment_mandate_id: id,
    payment_details_id: detailsId,
    payment_details_total: { label: 'Total', amount: toAmount(offer.total) },
    payment_response: {
      request_id: detailsId,
      method_name: PAYMENT_METHOD,
      details: { order_id: orderId, cart_hash: cartHash },
    },
    merchant_agent: merchantAgent,
    timestamp: now.toISOString(),
  };
}

/** Closed checkout and payment mandates of AP2 0.2, signed directly. */
async function writeMandatePair(
  facts: MandateFacts,
  { checkoutJwt, signing }: { checkoutJwt: string; signing: Signing },
): Promise<WrittenMandates> {
  const { offer, now, expiresAt, approvalHash, instrument } = facts;
  const times = { iat: toSeconds(now), exp: toSeconds(expiresAt) };
  const checkoutHash = await hashText(checkoutJwt);
  const ids = { checkout: signing.newId(), payment: signing.newId() };
  const checkout = await writeMandateSdJwt(
    {
      mandate: { vct: CHECKOUT_VCT, checkout_hash: checkoutHash, ...times },
      hidden: { checkout_jwt: checkoutJwt },
      outer: outerClaims(facts, ids.checkout),
    },
    signing.sign,
  );
  const mandate = {
    vct: PAYMENT_VCT,
    transaction_id: checkoutHash,
    payee: payeeOf(checkoutJwt, facts),
    payment_amount: { amount: offer.total.minor, currency: offer.total.currency },
    payment_instrument: instrument,
    risk_data: { approval_assertion: approvalHash },
    ...times,
  };
  const payment = await writeMandateSdJwt(
    { mandate, hidden: {}, outer: outerClaims(facts, ids.payment) },
    signing.sign,
  );
  const checkoutKey = offer.dialect === 'ucp' ? 'ap2.checkout_mandate' : 'ap2.mandates.CheckoutMandateSdJwt';
  return {
    data: { [checkoutKey]: checkout, 'ap2.mandates.PaymentMandateSdJwt': payment },
    mandates: [
      await toWrittenMandate({ kind: 'checkout-0.2', id: ids.checkout, token: checkout }, facts),
      await toWrittenMandate({ kind: 'payment-0.2', id: ids.payment, token: payment }, facts),
    ],
  };
}

/** The merchant as its own checkout names it. */
function payeeOf(checkoutJwt: string, { audience, merchantName }: MandateFacts): JsonObject {
  const merchant = readJws(checkoutJwt)?.payload.merchant;
  const { id = audience, name = merchantName, website } = isJsonObject(merchant) ? merchant : {};
  return { id, name, website };
}

function outerClaims({ issuer, audience, now, expiresAt }: MandateFacts, jti: string): JsonObject {
  return { iss: issuer, aud: audience, iat: toSeconds(now), exp: toSeconds(expiresAt), jti };
}

async function toWrittenMandate(
  { kind, id, token }: Pick<WrittenMandate, 'kind' | 'id' | 'token'>,
  { expiresAt }: MandateFacts,
): Promise<WrittenMandate> {
  const { whole, leaf } = await referencesOf(token);
  return { kind, id, token, reference: whole, leafReference: leaf, expiresAt };
}

/** AP2 0.1 wants a JSON number; the nearest double of these digits is written with the same digits again. */
export function toAmount(money: Money): JsonObject {
  return { currency: money.currency, value: Number(toDecimalText(money)) };
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
