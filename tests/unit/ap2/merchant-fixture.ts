import { generateKeyPairSync } from 'node:crypto';
import type { JWK } from '@parley/agent/ap2';
import { SignJWT } from 'jose';
import type { JsonObject } from '@/lib/protocol/json';

export const PARLEY = 'https://parley.example';
export const SHOP = 'https://shop.example';
export const noon = new Date('2026-11-20T12:00:00.000Z');
export const noonSeconds = noon.getTime() / 1000;

export function newKey(kid: string): JWK & { kid: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kty: 'EC', kid, alg: 'ES256' };
}

export function publicOf({ kty, crv, x, y, kid }: JWK): JWK {
  return { kty, crv, x, y, kid };
}

/** Signs any payload with ES256, valid or not. */
export function signer(key: JWK): (typ: string, claims: JsonObject) => Promise<string> {
  return (typ, claims) => new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: key.kid, typ }).sign(key);
}

/** Contents of a CartMandate for 18.98 EUR. */
export function pizzaContents(): JsonObject {
  return {
    id: 'cart_1',
    user_cart_confirmation_required: true,
    payment_request: {
      method_data: [{ supported_methods: 'parley', data: {} }],
      details: {
        id: 'order_1',
        display_items: [
          { label: 'Margherita', amount: { currency: 'EUR', value: 16.48 }, refund_period: 1 },
          { label: 'Delivery', amount: { currency: 'EUR', value: 2.5 }, refund_period: 1 },
        ],
        total: { label: 'Total', amount: { currency: 'EUR', value: 18.98 }, refund_period: 1 },
      },
      options: { request_shipping: false },
      shipping_address: { address_line: ['12 Via Roma'] },
    },
    cart_expiry: '2026-11-20T12:15:00Z',
    merchant_name: 'Trattoria',
  };
}

/** A UCP checkout for the same amount. */
export function pizzaCheckout(): JsonObject & { id: string } {
  return {
    ucp: { version: '2026-01-23', capabilities: [] },
    id: 'chk_1',
    status: 'ready_for_complete',
    currency: 'EUR',
    line_items: [
      {
        id: 'li_1',
        item: { id: 'margherita', title: 'Margherita', price: 824 },
        quantity: 2,
        totals: [{ type: 'subtotal', amount: 1_648 }],
      },
    ],
    totals: [
      { type: 'subtotal', amount: 1_648 },
      { type: 'discount', display_text: 'Lunch', amount: -100 },
      { type: 'fulfillment', display_text: 'Delivery', amount: 350 },
      { type: 'total', amount: 1_898 },
    ],
    links: [],
    merchant: { id: 'trattoria', name: 'Trattoria', website: SHOP },
  };
}
