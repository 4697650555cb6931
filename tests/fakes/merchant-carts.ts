import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { canonicalJson } from '@/lib/protocol/jcs';
import type { JsonObject } from '@/lib/protocol/json';

/** A merchant key, and its public half as a JWK Set member. */
export interface MerchantKey {
  kid: string;
  privateKey: KeyObject;
  jwk: JsonObject;
}

export function newMerchantKey(kid: string): MerchantKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  return { kid, privateKey, jwk: { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' } };
}

/** A compact JWT, signed with ES256 regardless of its header. */
export function signJwt(key: MerchantKey, claims: JsonObject, header: JsonObject = {}): string {
  const text = [{ alg: 'ES256', kid: key.kid, ...header }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(text), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

/** Inputs of a cart; a fault changes it before or after signing. */
export interface Cart {
  contents: CartContents;
  claims: JsonObject;
  header: JsonObject;
  key: MerchantKey;
  token: string | null;
}

interface CartContents extends JsonObject {
  id: string;
  merchant_name: string;
  cart_expiry: string;
  payment_request: JsonObject & { details: CartDetails };
}

interface CartDetails extends JsonObject {
  id: string;
  display_items: CartItem[];
  total: CartItem;
}

interface CartItem extends JsonObject {
  label: string;
  amount: { currency: string; value: number };
}

/** The seller and the marketplace. */
export interface Seller {
  name: string;
  issuer: string;
  audience: string;
  key: MerchantKey;
}

const minuteMs = 60_000;

/** Contents of an AP2 0.1 CartMandate: a pizza and delivery, 18.98 in total. */
export function newContents(seller: Pick<Seller, 'name'>, currency = 'EUR'): CartContents {
  const id = `cart-${randomUUID()}`;
  const item = (label: string, value: number): CartItem => ({ label, amount: { currency, value }, refund_period: 30 });
  return {
    id,
    user_cart_confirmation_required: true,
    merchant_name: seller.name,
    cart_expiry: new Date(Date.now() + 15 * minuteMs).toISOString(),
    payment_request: {
      method_data: [{ supported_methods: 'parley', data: {} }],
      details: {
        id: `details-${id}`,
        display_items: [item('Pizza Margherita, large', 15.48), item('Delivery', 3.5)],
        total: item('Total', 18.98),
      },
    },
  };
}

/** A data part with a cart: correctly signed, or with one fault. `more`: further members of its contents. */
export function cartData(seller: Seller, fault: CartFault = 'none', more: JsonObject = {}): JsonObject | string {
  const contents = newContents(seller, fault === 'fraction of a yen' ? 'JPY' : 'EUR');
  const cart: Cart = { contents, claims: {}, header: {}, key: seller.key, token: null };
  Object.assign(contents, more);
  const { before, after }: Changes = faults[fault];
  before?.(cart);
  const iat = Math.floor(Date.now() / 1000);
  const claims = {
    iss: seller.issuer,
    sub: seller.name,
    aud: seller.audience,
    iat,
    exp: iat + 900,
    jti: randomUUID(),
    cart_hash: createHash('sha256').update(canonicalJson(cart.contents)).digest('base64url'),
    ...cart.claims,
  };
  cart.token = signJwt(cart.key, claims, cart.header);
  after?.(cart);
  const mandate = { contents: cart.contents, ...(cart.token !== null && { merchant_authorization: cart.token }) };
  const data = { 'ap2.mandates.CartMandate': mandate };
  if (fault !== 'duplicate member') return data;
  const total = JSON.stringify(cart.contents.payment_request.details.total);
  return JSON.stringify(data).replace(`"total":${total}`, `"total":{"label":"Total","amount":1},"total":${total}`);
}

interface Changes {
  before?: (cart: Cart) => void;
  after?: (cart: Cart) => void;
}

const seconds = (from: number): number => Math.floor(Date.now() / 1000) + from;

/** Every way a cart can be invalid, by what was done to it. */
const faults = {
  none: {},
  'no signature': { after: (cart) => void Object.assign(cart, { token: null }) },
  'total altered after signing': { after: ({ contents }) => setTotal(contents, 1.98) },
  'currency altered after signing': {
    after: ({ contents }) => void Object.assign(contents.payment_request.details.total.amount, { currency: 'USD' }),
  },
  'merchant altered after signing': {
    after: ({ contents }) => void Object.assign(contents, { merchant_name: 'Somebody else' }),
  },
  'null member added after signing': { after: ({ contents }) => void Object.assign(contents, { note: null }) },
  'lines that do not add up': { before: ({ contents }) => setTotal(contents, 17.98) },
  'expired cart': {
    before: ({ contents }) =>
      void Object.assign(contents, { cart_expiry: new Date(Date.now() - minuteMs).toISOString() }),
  },
  'expired signature': {
    before: ({ claims }) => void Object.assign(claims, { iat: seconds(-900), exp: seconds(-600) }),
  },
  'signature valid for a year': { before: ({ claims }) => void Object.assign(claims, { exp: seconds(365 * 86_400) }) },
  'unknown key': { before: (cart) => void Object.assign(cart, { key: newMerchantKey('nobody-1') }) },
  'another key under the kid': { before: (cart) => void Object.assign(cart, { key: newMerchantKey(cart.key.kid) }) },
  'alg none': { before: ({ header }) => void Object.assign(header, { alg: 'none' }) },
  'alg HS256': { before: ({ header }) => void Object.assign(header, { alg: 'HS256' }) },
  'encoded twice': {
    after: (cart) => void Object.assign(cart, { token: Buffer.from(cart.token ?? '').toString('base64url') }),
  },
  'another issuer': { before: ({ claims }) => void Object.assign(claims, { iss: 'https://other.example' }) },
  'another audience': { before: ({ claims }) => void Object.assign(claims, { aud: 'https://other.example' }) },
  'no exp': { before: ({ claims }) => void Object.assign(claims, { exp: undefined }) },
  'no jti': { before: ({ claims }) => void Object.assign(claims, { jti: undefined }) },
  'no cart_hash': { before: ({ claims }) => void Object.assign(claims, { cart_hash: undefined }) },
  'fraction of a yen': {},
  'floating-point residue': {
    before: ({ contents }) =>
      void Object.assign(contents.payment_request.details.total.amount, { value: 18.980000000000004 }),
  },
  'negative price': {
    before: ({ contents }) => {
      const [item] = contents.payment_request.details.display_items;
      if (item) item.amount.value = -15.48;
    },
  },
  'two currencies': {
    before: ({ contents }) => {
      const [item] = contents.payment_request.details.display_items;
      if (item) item.amount.currency = 'USD';
    },
  },
  'duplicate member': {},
  'no contents': { before: ({ contents }) => void Reflect.deleteProperty(contents, 'payment_request') },
} satisfies Record<string, Changes>;

export type CartFault = keyof typeof faults;

function setTotal({ payment_request }: CartContents, value: number): void {
  payment_request.details.total.amount.value = value;
}
