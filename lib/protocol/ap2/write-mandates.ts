import {
  CHECKOUT_VCT,
  hashJson,
  hashText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type JWK,
  PAYMENT_VCT,
  readJws,
  referencesOf,
  toBase64url,
} from '@parley/agent/ap2';
import { toDecimalText } from './money';
import type { Money, OfferView } from './schema-offer';

/** The data of an approved order. Its mandates are written only from this data. */
export interface MandateFacts {
  /** Parley's issuer. */
  issuer: string;
  /** The merchant's issuer, the audience of the mandates. */
  audience: string;
  /** The merchant's slug. */
  merchantAgent: string;
  merchantName: string;
  orderId: string;
  offer: OfferView;
  cartHash: string;
  /** Base64url SHA-256 of the approved text. */
  approvalHash: string;
  /** The payment instrument; never a card number. */
  instrument: { id: string; type: string; description: string };
  now: Date;
  /** The expiry, at most ten minutes ahead. */
  expiresAt: Date;
}

interface Signing {
  sign: SignJwt;
  /** The public half of the signing key. */
  publicJwk: JWK;
  newId: () => string;
}

/** A signed mandate for storage. The id is its `jti`. */
export interface WrittenMandate {
  kind: 'payment-0.1' | 'checkout-0.2' | 'payment-0.2';
  id: string;
  token: string;
  /** The references that a receipt may use: the hash of the whole token, and of its JWT alone. */
  reference: string;
  leafReference: string;
  expiresAt: Date;
}

/** The data part to send, and the mandates to store. */
export interface WrittenMandates {
  data: JsonObject;
  mandates: WrittenMandate[];
}

/** Parley's name in a cart's `supported_methods`. */
const PAYMENT_METHOD = 'parley';

/**
 * Creates the mandates for an order: a PaymentMandate for carts of 0.1, or the two closed mandates of 0.2 if the
 * merchant signed a checkout (`checkoutJwt` of `checkCart`).
 */
export function writeMandates(
  facts: MandateFacts,
  { checkoutJwt, signing }: { checkoutJwt: string | null; signing: Signing },
): Promise<WrittenMandates> {
  return checkoutJwt === null ? writePaymentMandate(facts, signing) : writeMandatePair(facts, { checkoutJwt, signing });
}

/** Creates a PaymentMandate of AP2 0.1: an SD-JWT with a key binding over the hashes of the cart and the mandate. */
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

/** Creates closed checkout and payment mandates of AP2 0.2, signed directly. */
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

/** Returns the merchant as named in its checkout. */
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

/** Converts an amount to a JSON number, as AP2 0.1 requires. The nearest double serializes to the same digits. */
function toAmount(money: Money): JsonObject {
  return { currency: money.currency, value: Number(toDecimalText(money)) };
}

/** Returns seconds since 1970, as in JWT claims. */
export function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** Signs claims as a JWT with the given `typ`. The owner of the key restricts the content that it signs. */
export type SignJwt = (typ: string, claims: JsonObject) => Promise<string>;

/** A disclosure (RFC 9901 §4.2) and its digest; without a name it is an array element. */
interface Disclosure {
  text: string;
  digest: string;
}

const SALT_BYTES = 16;

/** Replaces a value with a salted digest (RFC 9901 §9.3). */
async function disclose(value: JsonValue, name?: string): Promise<Disclosure> {
  const salt = toBase64url(crypto.getRandomValues(new Uint8Array(SALT_BYTES)));
  const parts = name === undefined ? [salt, value] : [salt, name, value];
  const text = toBase64url(JSON.stringify(parts));
  return { text, digest: await hashText(text) };
}

/** Returns a mandate of AP2 0.2: the mandate in `delegate_payload`, with all disclosures. */
export async function writeMandateSdJwt(
  { mandate, hidden, outer }: { mandate: JsonObject; hidden: JsonObject; outer: JsonObject },
  sign: SignJwt,
): Promise<string> {
  const members = await Promise.all(Object.entries(hidden).map(([name, value]) => disclose(value ?? null, name)));
  const digests = members.map(({ digest }) => digest);
  const mandateDisclosure = await disclose(digests.length > 0 ? { ...mandate, _sd: digests } : mandate);
  const claims = { ...outer, _sd_alg: 'sha-256', delegate_payload: [{ '...': mandateDisclosure.digest }] };
  const disclosures = [...members, mandateDisclosure].map(({ text }) => text);
  return `${[await sign('dc+sd-jwt', claims), ...disclosures].join('~')}~`;
}

/** The outcome of a payment: captured, refunded or failed. */
export interface ReceiptFacts {
  /** Parley's issuer. */
  issuer: string;
  /** The reference of the mandate, over its whole token. */
  reference: string;
  mandateId: string;
  paymentId: string;
  amount: Money;
  /** The merchant's order number, and the payment processor's payment id. */
  merchantConfirmationId: string | null;
  processorConfirmationId: string;
  /** Set if nothing was paid: a stable code, and a text for users. */
  error: { code: string; text: string } | null;
  now: Date;
}

/** Creates a PaymentReceipt of AP2 0.2, as a signed JWT. */
export function signPaymentReceipt(facts: ReceiptFacts, sign: SignJwt): Promise<string> {
  const { issuer, reference, paymentId, processorConfirmationId, error, now } = facts;
  const outcome = error
    ? { status: 'Error', error: error.code, error_description: error.text }
    : {
        status: 'Success',
        psp_confirmation_id: processorConfirmationId,
        network_confirmation_id: processorConfirmationId,
      };
  const iat = Math.floor(now.getTime() / 1000);
  return sign('JWT', { ...outcome, iss: issuer, iat, reference, payment_id: paymentId });
}

/** Creates a PaymentReceipt of AP2 0.1: an unsigned object. */
export function toPaymentReceipt(facts: ReceiptFacts): JsonObject {
  const { mandateId, paymentId, amount, merchantConfirmationId, processorConfirmationId, error, now } = facts;
  const success = {
    merchant_confirmation_id: merchantConfirmationId ?? paymentId,
    psp_confirmation_id: processorConfirmationId,
  };
  return {
    payment_mandate_id: mandateId,
    timestamp: now.toISOString(),
    payment_id: paymentId,
    amount: toAmount(amount),
    payment_status: error ? { error_message: error.text } : success,
  };
}
