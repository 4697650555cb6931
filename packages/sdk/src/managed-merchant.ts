import { ParleyError } from './errors.js';
import type { SignedCart } from './merchant.js';
import { basicCredentials, type Fetch, originOf, requestJson } from './request.js';

export interface ManagedMerchantOptions {
  /** Origin of the Parley that lists the agent: `https://parley.example`. */
  url: string;
  /** The agent's slug at Parley. */
  agent: string;
  /** Credentials of the developer app of the agent's listing. */
  clientId: string;
  clientSecret: string;
  fetch?: Fetch;
}

/** Parley's verdict on a mandate that it signed. */
export interface MandateState {
  valid: boolean;
  /** The error code; null if the mandate is valid. */
  code: string | null;
  order: Record<string, unknown> | null;
}

/** An agent that sells without a signing key: Parley signs its carts and verifies mandates. */
export interface ManagedMerchant {
  /** Requests a signature for the `contents` of a CartMandate; send it as `{'ap2.mandates.CartMandate': …}`. */
  signCart(contents: object): Promise<SignedCart>;
  /** Has Parley verify the data of the payment part. */
  verifyMandate(data: unknown): Promise<MandateState>;
  /** Captures the authorized amount of the order, or releases it; once. `orderId` is your own order number. */
  claim(data: unknown, order: { orderId: string; accept?: boolean }): Promise<MandateState>;
}

/** Creates a managed merchant, whose methods throw `ParleyError`. @throws {TypeError} if `url` is not an origin */
export function createManagedMerchant(options: ManagedMerchantOptions): ManagedMerchant {
  const { agent, clientId, clientSecret, fetch = globalThis.fetch.bind(globalThis) } = options;
  const origin = originOf(options.url);
  const post = (path: string, body: object): Promise<Record<string, unknown>> =>
    requestJson(fetch, `${origin}/api/ap2/${path}`, {
      method: 'POST',
      headers: { authorization: basicCredentials(clientId, clientSecret), 'content-type': 'application/json' },
      body: JSON.stringify({ agent, ...body }),
    });
  return {
    async signCart(contents) {
      const { merchant_authorization: token } = await post('carts', { contents });
      if (typeof token !== 'string') throw new ParleyError('invalid_answer', `${origin} returned no signature.`);
      return { contents: JSON.parse(JSON.stringify(contents)), merchant_authorization: token };
    },
    verifyMandate: async (mandate) => toState(await post('verify', { mandate })),
    claim: async (mandate, order) => toState(await post('claim', { mandate, ...order })),
  };
}

function toState({ valid, code, order }: Record<string, unknown>): MandateState {
  return {
    valid: valid === true,
    code: typeof code === 'string' ? code : null,
    order: typeof order === 'object' && order !== null ? { ...order } : null,
  };
}
