import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import {
  ClientFactory as Factory10,
  ClientFactoryOptions as Options10,
  RestTransportFactory as Rest10,
  JsonRpcTransportFactory as Rpc10,
} from '@a2a-js/sdk/client';
import {
  ClientFactory as Factory03,
  ClientFactoryOptions as Options03,
  RestTransportFactory as Rest03,
  JsonRpcTransportFactory as Rpc03,
} from 'a2a-sdk-0-3/client';
import { decodeJwt, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardV03 } from '../fakes/cards';
import { startRest03 } from '../fakes/rest03-agent';
import { startRest10 } from '../fakes/rest10-agent';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { startSdk03Agent } from '../fakes/sdk03-agent';
import { startSdk10Agent } from '../fakes/sdk10-agent';
import { type Connection, connectTo, createPerson, listAgent, type Person, post, rpc } from '../support/fixtures';
import { connectToRest, rest, restJson } from '../support/rest';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let parley: SharedParley;
let ada: Person;
const agents = new Map<string, { url: string; slug: string; stop: () => Promise<void> }>();

beforeAll(async () => {
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
  const starts = {
    '1.0 by JSON-RPC': () => startSdk10Agent({ extended: true }),
    '1.0 by HTTP+JSON': () => startRest10({ extended: true }),
    '0.3 by JSON-RPC': () => startSdk03Agent({ extended: true }),
    '0.3 by HTTP+JSON': () => startRest03({ extended: true }),
    '0.2': startAgentOf02,
  };
  for (const [kind, start] of Object.entries(starts)) {
    const { url, stop } = await start();
    agents.set(kind, { url, stop, slug: await listAgent(parley.url, ada, { url }) });
  }
});

afterAll(async () => {
  for (const { stop } of agents.values()) await stop();
});

/** An agent of 0.2, where the extended card has a separate address. */
async function startAgentOf02(): Promise<{ url: string; stop: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const card = cardV03(url, {
      url: `${url}/a/rpc`,
      protocolVersion: '0.2.6',
      supportsAuthenticatedExtendedCard: true,
    });
    const [skill] = card.skills as object[];
    const isMine = request.method === 'GET' && request.headers.authorization?.startsWith('Bearer ');
    if (request.url === '/.well-known/agent.json') response.end(JSON.stringify(card));
    else if (request.url === '/a/agent/authenticatedExtendedCard' && isMine)
      response.end(JSON.stringify({ ...card, skills: [skill, { ...skill, id: 'inside' }] }));
    else if (request.method === 'POST')
      response.end('{"jsonrpc": "2.0", "id": null, "error": {"code": -32601, "message": "?"}}');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}

interface Card {
  url?: string;
  skills: { id: string }[];
  capabilities: { extendedAgentCard?: boolean };
  supportsAuthenticatedExtendedCard?: boolean;
  supportedInterfaces?: { url: string }[];
  signatures?: { protected: string; signature: string }[];
}

/** Every way to request it, and the text that only its response contains. */
const asking: Record<string, { ask: (slug: string) => Promise<Card>; own: object }> = {
  '1.0 by JSON-RPC': {
    ask: async (slug) =>
      (await rpc(await connectTo(parley.url, ada, slug), 'GetExtendedAgentCard', {})).body.result as Card,
    own: { securityRequirements: [{ schemes: { parley: { list: ['agent:call'] } } }], signatures: [{}] },
  },
  '1.0 by HTTP+JSON': {
    ask: async (slug) =>
      (await restJson<Card>(await connectToRest(parley.url, ada, slug), 'GET /extendedAgentCard')).body,
    own: { securityRequirements: [{ schemes: { parley: { list: ['agent:call'] } } }], signatures: [{}] },
  },
  '0.3 by JSON-RPC': {
    ask: async (slug) => {
      const connection = await connectTo(parley.url, ada, slug);
      const body = { jsonrpc: '2.0', id: 1, method: 'agent/getAuthenticatedExtendedCard' };
      return ((await (await post(connection, body)).json()) as { result: Card }).result;
    },
    own: { protocolVersion: '0.3.0', security: [{ parley: ['agent:call'] }] },
  },
  '0.3 by HTTP+JSON': {
    ask: async (slug) => (await restJson<Card>(await connectToRest(parley.url, ada, slug), 'GET /v1/card')).body,
    own: { protocolVersion: '0.3.0', security: [{ schemes: { parley: { list: ['agent:call'] } } }] },
  },
  '0.2': {
    ask: async (slug) => {
      const { url, ...line } = await connectTo(parley.url, ada, slug);
      const address = new URL('../agent/authenticatedExtendedCard', `${url}/`).href;
      return (await restJson<Card>({ ...line, url: address }, 'GET ')).body;
    },
    own: { authentication: { schemes: ['bearer'] }, security: [{ parley: ['agent:call'] }] },
  },
  'a 0.1 system': {
    ask: async (slug) => {
      const line = { ...(await connectTo(parley.url, ada, slug)), url: `${parley.url}/agents/${slug}/tasks/process` };
      return (await rpc(line, 'agent/getAuthenticatedExtendedCard', {})).body.result as Card;
    },
    own: { authentication: { schemes: ['bearer'] } },
  },
};

describe.each(['1.0 by JSON-RPC', '1.0 by HTTP+JSON', '0.3 by JSON-RPC', '0.3 by HTTP+JSON', '0.2'])(
  'the extended card of an A2A %s agent',
  (kind) => {
    test.each(Object.keys(asking))('is returned to callers of %s, with only our URLs', async (way) => {
      const { slug = '', url = '' } = agents.get(kind) ?? {};
      const { ask, own } = asking[way] as (typeof asking)[string];
      const card = await ask(slug);
      expect(card).toMatchObject(own);
      expect(card.skills.map(({ id }) => id).at(-1)).toBe('inside');
      const addresses = [card.url, ...(card.supportedInterfaces ?? []).map((one) => one.url)].filter(Boolean);
      expect(addresses.length).toBeGreaterThan(0);
      expect(addresses.every((address) => address?.startsWith(`${parley.url}/agents/${slug}/a2a/`))).toBe(true);
      expect(JSON.stringify(card)).not.toContain(new URL(url).host);
    });

    test('is declared in the public card, which does not include its contents', async () => {
      const { slug = '' } = agents.get(kind) ?? {};
      const at = `${parley.url}/agents/${slug}/.well-known/agent-card.json`;
      const pure = (await (await fetch(at, { headers: { 'a2a-version': '1.0' } })).json()) as Card;
      const hybrid = (await (await fetch(at)).json()) as Card;
      expect([pure.capabilities.extendedAgentCard, hybrid.supportsAuthenticatedExtendedCard]).toEqual([true, true]);
      for (const card of [pure, hybrid]) expect(card.skills.map(({ id }) => id)).not.toContain('inside');
    });
  },
);

describe('the extended card in the SDKs', () => {
  async function connect(): Promise<{ cardUrl: string; fetchImpl: typeof fetch }> {
    const slug = agents.get('1.0 by JSON-RPC')?.slug ?? '';
    const { token } = await connectTo(parley.url, ada, slug);
    const fetchImpl: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${token}`);
      return fetch(input, { ...init, headers });
    };
    return { cardUrl: `${parley.url}/agents/${slug}/.well-known/agent-card.json`, fetchImpl };
  }

  test.each(['JSONRPC', 'HTTP+JSON'])('is fetched by the SDK 1.3.0 over %s', async (binding) => {
    const { cardUrl, fetchImpl } = await connect();
    const transports = [new Rpc10({ fetchImpl }), new Rest10({ fetchImpl })];
    const options = Options10.createFrom(Options10.default, { transports, preferredTransports: [binding] });
    const card = await (await new Factory10(options).createFromUrl(cardUrl, '')).getAgentCard();
    expect(card.skills.map(({ id }) => id)).toEqual(['echo', 'inside']);
    expect(card.securitySchemes.parley?.scheme?.$case).toBe('httpAuthSecurityScheme');
  });

  test.each(['JSONRPC', 'HTTP+JSON'])('is fetched by the SDK 0.3.14 over %s', async (binding) => {
    const { cardUrl, fetchImpl } = await connect();
    const transports = [new Rpc03({ fetchImpl }), new Rest03({ fetchImpl })];
    const options = Options03.createFrom(Options03.default, { transports, preferredTransports: [binding] });
    const card = await (await new Factory03(options).createFromUrl(cardUrl, '')).getAgentCard();
    expect(card.skills.map(({ id }) => id)).toEqual(['echo', 'inside']);
    expect(card.securitySchemes?.parley).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(card.security).toEqual([{ parley: ['agent:call'] }]);
  });
});

test('an extended card is signed with our card key in A2A 1.0 (§8.4), and unsigned in other shapes', async () => {
  const slug = agents.get('0.3 by JSON-RPC')?.slug ?? '';
  const card = (await asking['1.0 by JSON-RPC']?.ask(slug)) as Card;
  const keys = (await (await fetch(`${parley.url}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
  const verify = verifyAgentCardSignature(async (kid) => {
    const key = keys.keys.find((candidate) => candidate.kid === kid && kid.startsWith('card-'));
    return key ?? Promise.reject(new Error(`no key ${kid}`));
  });
  await verify({ ...AgentCard.fromJSON(card), ...card } as AgentCard);
  expect((await asking['0.3 by JSON-RPC']?.ask(slug))?.signatures).toBeUndefined();
});

describe('a request for an extended card', () => {
  let agent: ScriptedAgent;
  let slug: string;
  beforeAll(async () => {
    agent = await ScriptedAgent.start({ protocolVersion: '1.0', extendedCard: true });
    slug = await listAgent(parley.url, ada, { url: agent.url });
  });
  afterAll(() => agent?.stop());

  /** The card contains the caller's name. */
  function respondPerCaller(): void {
    agent.answer(({ json, received }) => {
      const { sub } = decodeJwt(received.headers.authorization?.slice('Bearer '.length) ?? '');
      const skills = [{ id: sub, name: 'Yours', description: 'Yours alone', tags: ['own'] }];
      json({ jsonrpc: '2.0', id: received.id, result: { ...agent.card, skills } });
    });
  }

  async function error(connection: Connection, method: string): Promise<{ code?: number; data?: unknown }> {
    return (await rpc(connection, method, {})).body.error ?? {};
  }

  test('is made for each caller with their own upstream token, and is never cached', async () => {
    respondPerCaller();
    const eve = await createPerson(parley.url, 'Eve');
    const connections = [await connectTo(parley.url, ada, slug), await connectTo(parley.url, eve, slug)];
    const seen: string[] = [];
    for (const connection of [...connections, ...connections]) {
      const card = (await rpc(connection, 'GetExtendedAgentCard', {})).body.result as Card;
      expect(card.skills[0]?.id).toBe(decodeJwt(connection.token).sub);
      seen.push(card.skills[0]?.id ?? '');
    }
    expect(new Set(seen).size).toBe(2);
    expect(agent.calls('GetExtendedAgentCard')).toHaveLength(4);
    const bearer = agent.received.at(-1)?.headers.authorization?.slice('Bearer '.length) ?? '';
    expect(connections.map(({ token }) => token)).not.toContain(bearer);
    expect(decodeJwt(bearer)).toMatchObject({ token_use: 'upstream', agent_slug: slug });
    const answer = await rest(await connectToRest(parley.url, ada, slug), 'GET /extendedAgentCard');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('is rejected if there is no token for this agent', async () => {
    const before = agent.received.length;
    const other = await connectTo(parley.url, ada, agents.get('0.2')?.slug ?? '');
    const line = { ...(await connectTo(parley.url, ada, slug)), token: other.token };
    expect((await rpc(line, 'GetExtendedAgentCard', {})).status).toBe(401);
    const base = await connectToRest(parley.url, ada, slug);
    expect((await fetch(`${base.url}/extendedAgentCard`)).status).toBe(401);
    expect(agent.received.length).toBe(before);
  });

  test.each([-32601, -32004, -32007])('returns -32007 in 1.0 and 0.3 if the agent returns %d', async (code) => {
    agent.answer(({ json, received }) => json({ jsonrpc: '2.0', id: received.id, error: { code, message: 'no' } }));
    const connection = await connectTo(parley.url, ada, slug);
    expect(await error(connection, 'GetExtendedAgentCard')).toMatchObject({
      code: -32007,
      data: [{ reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED' }],
    });
    expect(await error(connection, 'agent/getAuthenticatedExtendedCard')).toMatchObject({
      code: -32007,
      data: { reason: 'extended_agent_card_not_configured' },
    });
  });

  test.each([
    ['a value that is not an object', 'yes'],
    ['an object that is not a card', { hello: 'world' }],
    ['a card without an address', { name: 'A', description: 'B', version: '1', supportedInterfaces: [] }],
  ])('returns -32006 if the agent returns %s', async (_, answered) => {
    agent.answer(({ json, received }) => json({ jsonrpc: '2.0', id: received.id, result: answered }));
    const connection = await connectTo(parley.url, ada, slug);
    expect(await error(connection, 'GetExtendedAgentCard')).toMatchObject({ code: -32006 });
  });

  test('returns texts that are cleaned in the same way as a listed card’s texts', async () => {
    agent.answer(({ json, received }) =>
      json({ jsonrpc: '2.0', id: received.id, result: { ...agent.card, description: 'safe\u202etxt.exe' } }),
    );
    const { body } = await rpc(await connectTo(parley.url, ada, slug), 'GetExtendedAgentCard', {});
    expect(body.result).toMatchObject({ description: 'safetxt.exe' });
  });
});

describe('an agent whose card declares no extended card', () => {
  let agent: ScriptedAgent;
  let slug: string;
  beforeAll(async () => {
    agent = await ScriptedAgent.start({ protocolVersion: '0.3' });
    slug = await listAgent(parley.url, ada, { url: agent.url });
  });
  afterAll(() => agent?.stop());

  test('is not called, and each version returns its own error', async () => {
    const connection = await connectTo(parley.url, ada, slug);
    const codes = [];
    for (const method of ['GetExtendedAgentCard', 'agent/getAuthenticatedExtendedCard']) {
      codes.push((await rpc(connection, method, {})).body.error?.code);
    }
    const society = { ...connection, url: `${parley.url}/agents/${slug}/tasks/process` };
    codes.push((await rpc(society, 'agent/getAuthenticatedExtendedCard', {})).body.error?.code);
    expect(codes).toEqual([-32004, -32007, -32004]);
    const base = await connectToRest(parley.url, ada, slug);
    expect(await restJson(base, 'GET /extendedAgentCard')).toMatchObject({
      status: 400,
      body: { error: { status: 'UNIMPLEMENTED', details: [{ reason: 'UNSUPPORTED_OPERATION' }] } },
    });
    expect(await restJson(base, 'GET /v1/card')).toMatchObject({ status: 400, body: { code: -32007 } });
    expect(agent.received).toEqual([]);
  });
});
