import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderView } from '@/lib/payments/schema';
import { freePort } from '@/scripts/processes.mjs';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { bundleAgents } from '../unit/examples/running-agents';
import { approve, ask, buy, ordersOf, reaches, review } from './payments-fixture';
import { createApp } from './tokens-fixture';

/** A real Parley with the example agents for developers, used by a paying user. */
let parley: Parley;
let seller: Person;
let buyer: ChatClient;
let folder: string;
let bundles: Awaited<ReturnType<typeof bundleAgents>>;
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-examples-'));
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  bundles = await bundleAgents('pizzeria');
  await build({
    entryPoints: ['examples/sdk/merchant.ts'],
    outfile: path.join(folder, 'merchant.mjs'),
    bundle: true,
    packages: 'external',
    // As installed from the package.
    external: ['@parley/agent'],
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://localhost:*,http://127.0.0.1:*' } });
  seller = await createPerson(parley.url, 'Sella');
  buyer = new ChatClient(parley.url, await createPerson(parley.url, 'Bea'));
  await ask(buyer, '/api/wallet/top-ups', { body: { currency: 'EUR', amount: 50_000 } });
});

afterAll(async () => {
  for (const child of running) child.kill();
  await parley?.stop();
  bundles?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs an example until it listens, and lists it. */
async function open(slug: string, program: string): Promise<void> {
  const port = await freePort();
  const app = await createApp(parley.url, seller, slug);
  const child = spawn(process.execPath, [program], {
    env: {
      NODE_ENV: 'production',
      PATH: process.env.PATH,
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      PARLEY_URL: parley.url,
      PARLEY_AGENT: slug,
      PARLEY_CLIENT_ID: app.clientId,
      PARLEY_CLIENT_SECRET: app.clientSecret,
      MERCHANT_TRICKS: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => String(chunk).includes('listening') && resolve());
    child.once('exit', (code) => reject(new Error(`${slug} ended with ${code}`)));
  });
  await listAgent(parley.url, seller, { url: `http://localhost:${port}`, slug, appId: app.id });
}

/** The newest order in an agent's conversation. */
async function order(agentSlug: string, text: string, conversationId?: string): Promise<OrderView> {
  const target = conversationId ? { conversationId } : { agentSlug };
  const { taskId } = await buyer.say({ ...target, text });
  await waitFor(async () => (await ordersOf(buyer, taskId)).length > 0, { what: 'an order' });
  const [newest] = await ordersOf(buyer, taskId);
  if (!newest) throw new Error('an order that was just there is gone');
  return newest;
}

test('PAY-2 the merchant example sells with a signed cart, an approval, a mandate, a receipt and a capture', async () => {
  await open('postcards', path.join(folder, 'merchant.mjs'));
  const offered = await order('postcards', 'A postcard, please');
  expect(offered).toMatchObject({ state: 'verified', offer: { total: { currency: 'EUR', minor: 250 } } });
  const paid = await buy(buyer, offered, 'captured');
  expect(paid.merchantOrderId).toMatch(/^no-/);
  expect(paid.payment).toMatchObject({ authorized: 250, captured: 250 });
});

describe('the pizzeria', () => {
  const wish = 'Two large margheritas to 12 Via Roma, Florence';

  beforeAll(() => open('pizzeria', path.join(bundles.folder, 'pizzeria.mjs')));

  test('sells a pizza', async () => {
    const offered = await order('pizzeria', wish);
    expect(offered).toMatchObject({ state: 'verified', offer: { merchantName: 'Trattoria Parley' } });
    const paid = await buy(buyer, offered, 'captured');
    expect(paid.merchantOrderId).toMatch(/^TP-\d{5}$/);
    expect(paid.receipts.map(({ kind }) => kind)).toContain('merchant');
  });

  test.each([
    ['#unsigned', 'missing_signature'],
    ['#tampered-total', 'cart_hash_mismatch'],
    ['#wrong-key', 'bad_signature'],
    ['#expired', 'signature_expired'],
    ['#other-merchant', 'wrong_issuer'],
  ])('with the fault %s cannot sell: %s', async (trick, code) => {
    expect(await order('pizzeria', `${wish} ${trick}`)).toMatchObject({ state: 'rejected', code });
  });

  test('cannot reuse an earlier signature’s id in a later cart', async () => {
    const first = await order('pizzeria', wish);
    const second = await order('pizzeria', 'make it three #replayed', first.conversationId ?? '');
    expect(second).toMatchObject({ state: 'rejected', code: 'replayed_cart' });
  });

  test('receives no money if it rejects the payment, and the money is released', async () => {
    const offered = await order('pizzeria', `${wish} #refuse`);
    const refused = await buy(buyer, offered, 'merchant_rejected');
    expect(refused.payment).toMatchObject({ captured: 0 });
  });

  test('leaves the money authorized and uncaptured if it stops responding', async () => {
    const offered = await order('pizzeria', `${wish} #vanish`);
    const { body } = await review(buyer, offered.id);
    expect((await approve(buyer, body)).status).toBe(200);
    const held = await reaches(buyer, offered.id, 'authorized');
    expect(held.payment).toMatchObject({ authorized: 2_350, captured: 0 });
  });
});
