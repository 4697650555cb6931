import type { JWK } from 'jose';
import { hashJson, isSameHash } from '../../ap2/digest.js';
import { readJws, verifyJws } from '../../ap2/jws.js';
import { isJsonObject, type JsonObject as StrictObject } from '../../ap2/strict-json.js';
import type { Check } from '../check.js';
import { Skipped } from '../inputs.js';
import { isObject, isText, type JsonObject, objectOf, objectsOf, parseJson } from '../json-value.js';
import { runExamples } from '../probe/observe.js';
import { type Finding, shorten } from '../report.js';
import type { Subject } from '../subject.js';
import { sells } from './claim-checks.js';

/** A cart that the agent sent: a CartMandate of AP2 0.1, or a checkout of 0.2. */
interface Cart {
  where: string;
  /** The signed content: `contents` of a CartMandate, or the payload of the checkout's JWT. */
  contents: JsonObject;
  /** The JWT of the merchant; null without one. */
  token: string | null;
  kind: 'cart-mandate' | 'checkout';
}

const CART = 'ap2.mandates.CartMandate';
const CHECKOUT = 'ap2.checkout';

/** Returns the carts in the answers to the examples. @throws {Skipped} if the agent does not sell, or sent none */
async function cartsOf(subject: Subject): Promise<Cart[]> {
  const isSeller = await sells(subject);
  const runs = isSeller || subject.options.texts.cart !== undefined ? await runExamples(subject) : [];
  if (runs.length === 0) throw new Skipped('The card declares no extension of AP2.');
  const carts = runs.flatMap(({ where, reply: { task, message } }) => {
    const parts = [
      ...(task?.artifacts ?? []).flatMap((artifact) => artifact.parts),
      ...(task?.status.message?.parts ?? []),
      ...(message?.parts ?? []),
    ];
    return parts.flatMap(({ data }) => (isObject(data) ? toCart(data, where) : []));
  });
  if (carts.length === 0) throw new Skipped('No message led to a cart. Name one that does: option "cart", or --cart.');
  return carts;
}

function toCart(data: JsonObject, where: string): Cart[] {
  const mandate = data[CART];
  if (isObject(mandate)) {
    const token = isText(mandate.merchant_authorization) ? mandate.merchant_authorization : null;
    return [{ where, contents: objectOf(mandate.contents), token, kind: 'cart-mandate' }];
  }
  const checkout = data[CHECKOUT];
  if (!isObject(checkout)) return [];
  const token = isText(checkout.checkout_jwt) ? checkout.checkout_jwt : null;
  return [{ where, contents: { ...(token && readJws(token)?.payload) }, token, kind: 'checkout' }];
}

interface Amount {
  label: string;
  currency: unknown;
  /** In minor units for a checkout, in units of the currency for a CartMandate. */
  value: number;
}

function amountsOf({ kind, contents }: Cart): { lines: Amount[]; total: Amount | null } {
  if (kind === 'checkout') {
    const all = objectsOf(contents.totals).map(({ type, amount }) => ({
      label: String(type),
      currency: contents.currency,
      value: Number(amount),
    }));
    const lines = all.filter(({ label }) => label !== 'total');
    const totals = all.filter(({ label }) => label === 'total');
    return { lines, total: totals.length === 1 ? (totals[0] ?? null) : null };
  }
  const details = objectOf(objectOf(contents.payment_request).details);
  const shipping = objectsOf(details.shipping_options).filter(({ selected }) => selected === true);
  const items = [...objectsOf(details.display_items), ...shipping].map(toAmount);
  return { lines: items, total: isObject(details.total) ? toAmount(details.total) : null };
}

function toAmount({ label, amount }: JsonObject): Amount {
  const { currency, value } = objectOf(amount);
  return { label: String(label), currency, value: Number(value) };
}

function totalFault(cart: Cart): Finding[] {
  const { lines, total } = amountsOf(cart);
  const { where } = cart;
  if (!total || Number.isNaN(total.value)) {
    const remedy = 'Add one total with an amount.';
    return [{ found: shorten(cart.contents), expected: 'a cart with a total', remedy, where }];
  }
  const other = lines.find(({ currency }) => currency !== total.currency);
  if (other) {
    const found = `${other.label} in ${shorten(other.currency)}, the total in ${shorten(total.currency)}`;
    return [{ found, expected: 'one currency', remedy: 'Write all amounts in one currency.', where }];
  }
  const sum = lines.reduce((all, { value }) => all + value, 0);
  if (lines.length === 0 || Math.abs(sum - total.value) < 0.000_5) return [];
  const found = `a total of ${total.value}, and items of ${Number(sum.toFixed(3))}`;
  return [{ found, expected: 'a total that is the sum of the items', remedy: 'Add up the items.', where }];
}

function expiryFault({ contents, kind, token, where }: Cart): Finding[] {
  const name = kind === 'cart-mandate' ? 'cart_expiry' : 'expires_at';
  const claimed = token === null ? undefined : readJws(token)?.payload.exp;
  const ends = [
    ...(isText(contents[name]) ? [Date.parse(contents[name])] : []),
    ...(typeof claimed === 'number' ? [claimed * 1_000] : []),
  ];
  const expected = `a time in the future in ${name} or in the claim exp`;
  const remedy = 'Send a new cart with each answer, valid for some minutes.';
  if (ends.length === 0) return [{ found: `no ${name}`, expected, remedy, where }];
  const past = ends.find((end) => !(end > Date.now()));
  if (past === undefined) return [];
  const found = Number.isNaN(past) ? shorten(contents[name]) : new Date(past).toISOString();
  return [{ found, expected, remedy, where }];
}

async function signatureFault(subject: Subject, { contents, kind, token, where }: Cart): Promise<Finding[]> {
  const remedy =
    'Sign carts with createMerchant of @parley/agent, and serve its jwks() at /.well-known/jwks.json of the issuer.';
  const fault = (found: string, expected: string): Finding[] => [{ found: shorten(found), expected, remedy, where }];
  const read = token === null ? null : readJws(token);
  if (token === null || !read)
    return fault('no signature', 'merchant_authorization or checkout_jwt, a JWT signed with ES256');
  const { iss, cart_hash: hash } = read.payload;
  const { keys, url } = await keysOf(subject, iss);
  if (keys.length === 0) return fault(`no keys at ${url}`, 'the public key of the signature');
  const verdict = await verifyJws(token, { keys });
  if (!verdict.ok) return fault(`a signature that is not valid: ${verdict.code}`, `a signature by a key at ${url}`);
  if (kind === 'checkout') return [];
  const signed = JSON.parse(JSON.stringify(contents)) as unknown;
  const isSame =
    isJsonObject(signed as StrictObject) && isSameHash(String(hash), await hashJson(signed as StrictObject));
  return isSame ? [] : fault(`cart_hash ${String(hash)}`, 'the hash of the contents of the cart');
}

/** Reads the public keys of the issuer; of an issuer that is not a URL, those at the origin of the card. */
async function keysOf(subject: Subject, issuer: unknown): Promise<{ keys: JWK[]; url: string }> {
  const { url: cardUrl } = await subject.cardReading();
  const isUrl = typeof issuer === 'string' && /^https?:/.test(issuer) && URL.canParse(issuer);
  const base = isUrl ? issuer.replace(/\/$/, '') : new URL(cardUrl).origin;
  const url = `${base}/.well-known/jwks.json`;
  return subject.once(`keys ${url}`, async () => {
    const { firstByteMs: wholeMs } = subject.options.limits;
    const response = await subject.options.transport.request({ method: 'GET', url, headers: {}, wholeMs });
    return { keys: objectsOf(objectOf(parseJson(response.text)).keys) as JWK[], url };
  });
}

export const cartChecks: Check[] = [
  {
    id: 'cart.total',
    title: 'The total of a cart is the sum of its items, in one currency',
    why: 'Parley rejects the cart.',
    run: async (subject) => (await cartsOf(subject)).flatMap(totalFault),
  },
  {
    id: 'cart.signature',
    title: 'A cart is signed by the merchant',
    why: 'Parley rejects the cart.',
    async run(subject) {
      const found: Finding[] = [];
      for (const cart of await cartsOf(subject)) found.push(...(await signatureFault(subject, cart)));
      return found;
    },
  },
  {
    id: 'cart.expiry',
    title: 'A cart expires in the future',
    why: 'Users cannot pay it.',
    run: async (subject) => (await cartsOf(subject)).flatMap(expiryFault),
  },
];
