import { generateKeyPairSync } from 'node:crypto';
import { createMerchant, type Merchant } from '@parley/agent';
import {
  listenOn,
  type MockAgent,
  type MockAgentOptions,
  type MockTurn,
  mockAgent,
  type TestTexts,
} from '@parley/agent/test';

export type Json = Record<string, unknown>;

/** An agent that is wrong in one way, and the check that finds it. */
export interface PlantedFault {
  fault: string;
  check: string;
  plant: (merchant: Merchant) => MockAgentOptions | Promise<MockAgentOptions>;
  /** It shows only after a limit of time. */
  isSlow?: boolean;
}

/** Texts with which the harness reaches every part of these agents. */
export const texts: TestTexts = { slow: 'slow', question: 'ask', answer: 'Rome', cart: 'buy' };

const AP2 = 'https://github.com/google-agentic-commerce/ap2/tree/v0.1';
const ORIGIN = 'https://agent.example';

/** The card of the agent without a fault. It declares everything that a check can test. */
export const goodCard = {
  name: 'Planted',
  capabilities: {
    streaming: true,
    pushNotifications: true,
    extendedAgentCard: true,
    extensions: [{ uri: AP2, description: 'Sells pizza', required: false }],
  },
  defaultInputModes: ['text/plain', 'application/octet-stream'],
  defaultOutputModes: ['text/plain', 'application/octet-stream', 'application/json'],
  skills: [
    { id: 'echo', name: 'Echo', description: 'Sends it back.', tags: ['echo'], examples: ['Hello', 'Second'] },
    { id: 'other', name: 'Other', description: 'Does something else.', tags: ['other'] },
  ],
};

/** The contents of a cart of 10 and 2 EUR. */
export function cartContents({ total = 12, expiresInMs = 600_000 } = {}): Json {
  const item = (label: string, value: number) => ({ label, amount: { currency: 'EUR', value } });
  return {
    id: 'cart_1',
    user_cart_confirmation_required: true,
    payment_request: {
      method_data: [{ supported_methods: 'parley', data: {} }],
      details: { id: 'order_1', display_items: [item('Pizza', 10), item('Delivery', 2)], total: item('Total', total) },
    },
    cart_expiry: new Date(Date.now() + expiresInMs).toISOString(),
    merchant_name: 'Planted',
  };
}

/** The turns of the agent without a fault. */
function goodTurns(cart: object): MockTurn[] {
  return [
    { when: 'slow', reply: [{ status: 'Working' }, { delayMs: 120_000 }, 'done'] },
    { when: 'ask', reply: [{ ask: 'Which city?' }] },
    { when: 'buy', reply: [{ data: { 'ap2.mandates.CartMandate': cart } }] },
  ];
}

/** Creates the agent without a fault, or with a planted one. It sells at `origin`, at which its keys are. */
export async function plantedAgent(fault: PlantedFault | null, origin = ORIGIN): Promise<MockAgent> {
  const merchant = merchantAt(origin);
  const planted: MockAgentOptions = (await fault?.plant(merchant)) ?? {};
  const { alter = {}, turns = [], card } = planted;
  return mockAgent({
    card: { ...goodCard, ...card },
    turns: [...turns, ...goodTurns(await merchant.signCart(cartContents()))],
    alter: {
      ...alter,
      call(call) {
        const isKeys = new URL(call.request.url).pathname === '/.well-known/jwks.json';
        return isKeys ? Response.json(merchant.jwks()) : alter.call?.(call);
      },
    },
  });
}

function merchantAt(issuer: string): Merchant {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'planted' };
  return createMerchant({ url: 'https://parley.example', agent: 'planted', issuer, key });
}

/** An agent on a port that is without a fault until one is planted. */
export interface SwitchableAgent {
  url: string;
  plant(fault: PlantedFault | null): Promise<void>;
  close(): Promise<void>;
}

/** Starts an agent that can be listed before it becomes faulty. */
export async function startSwitchable(): Promise<SwitchableAgent> {
  const state: { agent: MockAgent | null } = { agent: null };
  const server = await listenOn(async (request) => (await state.agent?.handle(request)) ?? new Response(null));
  const plant = async (fault: PlantedFault | null): Promise<void> => {
    state.agent = await plantedAgent(fault, server.url);
  };
  await plant(null);
  return { ...server, plant };
}
