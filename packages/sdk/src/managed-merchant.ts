import { ParleyError } from './errors.js';
import type { SignedCart } from './merchant.js';
import { basicCredentials, type Fetch, originOf, requestJson } from './request.js';

export interface ManagedMerchantOptions {
  /** The Parley that lists the agent, as it calls itself: `https://parley.example`. */
  url: string;
  /** The agent's slug at Parley. */
  agent: string;
  /** Credentials of the developer app that the agent is listed with. */
  clientId: string;
  clientSecret: string;
  fetch?: Fetch;
}

/** What Parley says of a mandate that it signed. */
export interface MandateState {
  valid: boolean;
  /** Why not. */
  code: string | null;
  order: Record<string, unknown> | null;
}

/** An agent that sells without signing anything: Parley signs its carts, and says what became of a mandate. */
export interface ManagedMerchant {
  /** Has the `contents` of a CartMandate signed; send it as `{'ap2.mandates.CartMandate': …}`. */
  signCart(contents: object): Promise<SignedCart>;
  /** Asks Parley about the data of the part that pays. */
  verifyMandate(data: unknown): Promise<MandateState>;
  /** Takes the money that is held for the order, or lets go of it; once. `orderId` is your own number of the order. */
  claim(data: unknown, order: { orderId: string; accept?: boolean }): Promise<MandateState>;
}

/** @throws {TypeError} when `url` is no origin. Every method throws `ParleyError`. */
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
      if (typeof token !== 'string') throw new ParleyError('invalid_answer', `${origin} answered without a signature.`);
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
