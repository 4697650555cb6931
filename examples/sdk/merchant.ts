// A complete agent that sells one item: it signs its cart, verifies the payment, and confirms it with a signed receipt.
import { serve } from '@hono/node-server';
import { createAgentCard, createMerchant, isMandateData, protect, type SignedCart } from '@parley/agent';
import { exportJWK, generateKeyPair } from 'jose';

const {
  PORT = '4000',
  PARLEY_URL = 'http://localhost:3000',
  PARLEY_AGENT = 'postcards',
  PARLEY_CLIENT_ID = '',
  PARLEY_CLIENT_SECRET = '',
  MERCHANT_KEY,
} = process.env;
const origin = `http://localhost:${PORT}`;
const AP2 = 'https://github.com/google-agentic-commerce/ap2/tree/v0.1';

const card = createAgentCard({
  name: 'Postcards',
  description: 'Sells postcards.',
  version: '1.0.0',
  url: `${origin}/a2a`,
  parley: PARLEY_URL,
  streaming: false,
  extensions: [{ uri: AP2, description: 'Sells through AP2.', params: { roles: ['merchant'] } }],
  skills: [{ id: 'buy', name: 'Buy a postcard', description: 'Offers one.', tags: ['shop'], examples: ['A postcard'] }],
});

const guard = protect({
  url: PARLEY_URL,
  agent: PARLEY_AGENT,
  clientId: PARLEY_CLIENT_ID,
  clientSecret: PARLEY_CLIENT_SECRET,
});

const merchant = createMerchant({
  url: PARLEY_URL,
  agent: PARLEY_AGENT,
  issuer: origin,
  // Keep a key and pass it here: with a key of this process only, carts offered before a restart cannot be paid
  // afterwards.
  key: MERCHANT_KEY ? JSON.parse(MERCHANT_KEY) : await newKey(),
});

async function newKey() {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID() };
}

/** The cart offered in each task; a payment must be for exactly this cart. */
const offers = new Map<string, SignedCart>();

async function offer(taskId: string): Promise<object[]> {
  const price = { label: 'Total', amount: { currency: 'EUR', value: 2.5 }, refund_period: 14 };
  const cart = await merchant.signCart({
    id: `cart-${taskId}`,
    user_cart_confirmation_required: true,
    merchant_name: 'Postcards',
    cart_expiry: new Date(Date.now() + 900_000).toISOString(),
    payment_request: {
      method_data: [{ supported_methods: 'parley', data: {} }],
      details: { id: `order-${taskId}`, display_items: [{ ...price, label: 'A postcard' }], total: price },
    },
  });
  offers.set(taskId, cart);
  return [{ artifactId: 'cart', name: 'Cart', parts: [{ data: { 'ap2.mandates.CartMandate': cart } }] }];
}

async function take(taskId: string, mandate: unknown): Promise<{ state: string; artifacts: object[] }> {
  const cart = offers.get(taskId);
  const verdict = cart ? await merchant.verifyMandate(mandate, cart) : { ok: false as const, code: 'no_offer' };
  const receipt = await merchant.receipt(
    mandate,
    verdict.ok ? { orderId: `no-${taskId}` } : { error: 'invalid_mandate', description: verdict.code },
  );
  const artifacts = [{ artifactId: 'receipt', name: 'Receipt', parts: [{ data: { 'ap2.CheckoutReceipt': receipt } }] }];
  return { state: verdict.ok ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_INPUT_REQUIRED', artifacts };
}

const answer = guard.fetch(async (request) => {
  const { id, params } = await request.json();
  const { message } = params;
  const taskId = message.taskId || crypto.randomUUID();
  const contextId = message.contextId || crypto.randomUUID();
  const parts: { data?: unknown }[] = message.parts;
  const mandate = parts.map(({ data }) => data).find(isMandateData);
  const { state, artifacts } = mandate
    ? await take(taskId, mandate)
    : { state: 'TASK_STATE_INPUT_REQUIRED', artifacts: await offer(taskId) };
  const task = { id: taskId, contextId, status: { state, timestamp: new Date().toISOString() }, artifacts };
  return Response.json({ jsonrpc: '2.0', id, result: { task } });
});

async function handle(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/.well-known/agent-card.json') return Response.json(card);
  // Parley fetches the key from this path and pins it to the listing.
  if (pathname === '/.well-known/jwks.json') return Response.json(merchant.jwks());
  return pathname === '/a2a' ? answer(request) : new Response(null, { status: 404 });
}

serve({ fetch: handle, port: Number(PORT) }, () => console.log(`listening on ${origin}`));
