import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createMerchant } from '@parley/agent';
import { AgentReply, type Agents } from '@parley/agent/serve';
import { agentCard, LocalAgent, mockCaller, type Report, type TestTexts, testAgent } from '@parley/agent/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as converter from '@/examples/agents/converter/main';
import * as researcher from '@/examples/agents/researcher/main';
import { starters } from '@/examples/agents/starters/starters';
import { type AgentProcess, ensureAgent, originOf, stopAgent } from '@/scripts/demo/agent-process';
import { freePort } from '@/scripts/processes.mjs';
import { bundleAgents, credentialsFor, startParley } from './running-agents';

const slugs = ['conformance', 'pizzeria', 'analyst'] as const;
/** Answers to the questions of agents that ask for something in particular. */
const texts: Record<string, TestTexts> = { pizzeria: { answer: 'Small ones, to 12 Via Roma, Florence' } };

let bundles: Awaited<ReturnType<typeof bundleAgents>>;
let parley: Awaited<ReturnType<typeof startParley>>;
let signer: Server;
const running = new Map<string, AgentProcess>();

beforeAll(async () => {
  [bundles, parley, signer] = await Promise.all([bundleAgents(...slugs), startParley(), startSigner()]);
  for (const slug of slugs) {
    const bundle = path.join(bundles.folder, `${slug}.mjs`);
    const logFile = path.join(bundles.folder, `${slug}.log`);
    const launch = { slug, bundle, logFile, variables: credentialsFor(parley.url), preferredPort: await freePort() };
    running.set(slug, await ensureAgent(launch, null));
  }
});

afterAll(async () => {
  for (const [slug, agent] of running) await stopAgent(slug, agent);
  await parley?.stop();
  signer?.close();
  bundles?.remove();
});

/** A Parley that signs carts, as that of the agents without a key of their own. */
async function startSigner(): Promise<Server> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'signer' };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const merchant = createMerchant({
      url: process.env.PARLEY_URL ?? '',
      agent: 'a',
      issuer: process.env.PARLEY_URL ?? '',
      key,
    });
    const isKeys = request.url === '/.well-known/jwks.json';
    response.end(JSON.stringify(isKeys ? merchant.jwks() : await merchant.signCart(JSON.parse(body).contents)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.PARLEY_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return server;
}

function urlOf(slug: string): string {
  const agent = running.get(slug);
  if (!agent) throw new Error(`${slug} does not run`);
  return originOf(agent);
}

/** The catalog of an agent that hires: the analyst, which really runs. */
const agents: Agents = {
  search: async () => ({
    items: [{ slug: 'analyst', name: 'CSV Analyst', description: '', fit: 'fits', matchedSkill: null, tags: ['csv'] }],
    total: 1,
  }),
  async send(slug, message) {
    const { text, parts = [] } = typeof message === 'string' ? { text: message } : message;
    const caller = mockCaller(urlOf(slug), { token: parley.tokenOf('ada') });
    const { task } = await caller.send([...(text === undefined ? [] : [{ text }]), ...parts]);
    if (!task) throw new Error('the analyst answered without a task');
    return new AgentReply(task);
  },
};

function failuresOf({ results }: Report): object[] {
  return results.filter(({ outcome }) => outcome === 'failed').map(({ id, findings }) => ({ id, findings }));
}

it.each(slugs)('the harness finds nothing in %s', async (slug) => {
  const report = await testAgent(urlOf(slug), { token: parley.tokenOf('ada'), texts: texts[slug] ?? {} });
  expect(failuresOf(report)).toEqual([]);
  expect(report.passed).toBeGreaterThan(25);
});

it.each(Object.entries({ ...starters, converter, researcher }))(
  'the harness finds nothing in %s, which has no URL',
  async (_slug, { card, handle }) => {
    const withModes = { ...agentCard('https://agent.example'), ...card };
    const agent = new LocalAgent({ card: () => withModes, handle, agents });
    const fetch = (url: string, init: RequestInit): Promise<Response> =>
      url.startsWith('https://agent.example') ? agent.fetch(new Request(url, init)) : globalThis.fetch(url, init);
    const report = await testAgent({ url: 'https://agent.example', fetch });
    expect(failuresOf(report)).toEqual([]);
    expect(report.passed).toBeGreaterThan(25);
  },
);
