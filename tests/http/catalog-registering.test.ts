import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CardServer } from '../fakes/card-server';
import { cardV03, cardV10 } from '../fakes/cards';
import { createPerson, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let parley: SharedParley;
let cards: CardServer;
let elsewhere: CardServer;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  cards = await CardServer.start();
  elsewhere = await CardServer.start();
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
  bob = await createPerson(parley.url, 'Bob');
});

afterAll(async () => {
  await cards?.stop();
  await elsewhere?.stop();
});

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function call(path: string, body: unknown, person: Person = ada): Promise<Answer> {
  const response = await send(`${parley.url}${path}`, { body, bearer: person.accessToken });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const register = (body: object, person?: Person): Promise<Answer> => call('/api/agents', body, person);
const preview = (body: object, person?: Person): Promise<Answer> => call('/api/agents/preview', body, person);

let counter = 0;
/** A new agent with a valid card below its own path. */
function agent(change: object = {}, make = cardV10): string {
  const name = `agent-${++counter}`;
  return cards.serve(name, make(cards.base(name), { name: `Fresh ${counter}`, ...change }));
}

describe('registering an agent', () => {
  test('returns 201 with the agent’s JSON object and Location, and lists the agent', async () => {
    const url = agent({ name: 'My Cool Agent' });
    const response = await send(`${parley.url}/api/agents`, { body: { url }, bearer: ada.accessToken });
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe('/api/agents/my-cool-agent');
    const created = (await response.json()) as Record<string, unknown>;
    expect(created).toEqual({
      slug: 'my-cool-agent',
      name: 'My Cool Agent',
      description: 'Translates documents between languages.',
      version: '2.1.0',
      tags: ['translation', 'languages'],
      visibility: 'public',
      status: 'active',
      badges: ['authenticated', 'streaming'],
      url: `${parley.url}/agents/my-cool-agent`,
      cardUrl: `${parley.url}/agents/my-cool-agent/.well-known/agent-card.json`,
      iconUrl: null,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      signature: { state: 'unsigned' },
      notice: null,
      prices: [],
      pricePlans: [],
      price: { kind: 'unstated', amount: null, currency: null, unit: null, per: null },
      connection: 'url',
      presence: null,
    });
    const { body } = await call('/api/agents/preview', { url });
    expect(body).toMatchObject({ slug: 'my-cool-agent', isListed: true });
    expect(await (await fetch(`${parley.url}/api/agents/my-cool-agent`)).json()).toEqual(created);
  });

  test('again returns 200, and keeps the slug and omitted members unchanged', async () => {
    const url = agent({ name: 'Again' });
    const first = await register({ url, tags: ['One', ' two  words '], visibility: 'unlisted' });
    cards.serve(url.split('/').at(-1) ?? '', cardV10(url, { name: 'Again renamed', version: '3.0.0' }));
    const second = await register({ url });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toMatchObject({
      slug: 'again',
      name: 'Again renamed',
      version: '3.0.0',
      tags: ['one', 'two words'],
      visibility: 'unlisted',
    });
    expect((await register({ url, tags: [], visibility: 'public' })).body).toMatchObject({
      tags: [],
      visibility: 'public',
    });
    expect((await register({ url, slug: 'another' })).status).toBe(400);
  });

  test('creates one listing for three concurrent requests with a chosen slug, without an error', async () => {
    const carol = await createPerson(parley.url, 'Carol');
    for (let round = 1; round <= 3; round++) {
      const url = agent();
      const slug = `at-once-${round}`;
      const responses = await Promise.all([1, 2, 3].map(() => register({ url, slug }, carol)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
      expect(responses.map(({ body }) => body.slug)).toEqual([slug, slug, slug]);
    }
  });

  test.each([
    (url: string) => `${url}/`,
    (url: string) => `${url}/.well-known/agent-card.json`,
    (url: string) => `${url}/.well-known/agent.json`,
    (url: string) => ` ${url.replace('http:', 'HTTP:')}?utm=1 `,
  ])('treats other spellings of a URL as the same agent', async (spell) => {
    const url = agent();
    expect((await register({ url })).status).toBe(201);
    expect((await register({ url: spell(url) })).status).toBe(200);
  });

  test('is rejected for a URL that another user has listed, even after that user withdraws the agent', async () => {
    const url = agent();
    const { body } = await register({ url }, bob);
    expect(await register({ url })).toMatchObject({ status: 409, body: { code: 'agent_url_taken' } });
    expect(await preview({ url })).toMatchObject({ status: 409, body: { code: 'agent_url_taken' } });
    const withdrawn = await send(`${parley.url}/api/agents/${body.slug}`, {
      method: 'DELETE',
      bearer: bob.accessToken,
    });
    expect(withdrawn.status).toBe(204);
    expect((await register({ url })).status).toBe(409);
    expect(await register({ url }, bob)).toMatchObject({ status: 200, body: { slug: body.slug, status: 'active' } });
  });

  test('creates one listing for concurrent requests from two users', async () => {
    const url = agent({ name: 'Race' });
    const responses = await Promise.all(Array.from({ length: 8 }, () => register({ url })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(responses.map(({ body }) => body.slug)).size).toBe(1);
  });

  test('gives each of several concurrent agents with the same name its own slug', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => register({ url: agent({ name: 'Twin' }) })));
    expect(responses.map(({ body }) => body.slug).sort()).toEqual(['twin', 'twin-2', 'twin-3', 'twin-4', 'twin-5']);
  });

  test('accepts a chosen slug, and rejects invalid, reserved and used slugs', async () => {
    expect(await register({ url: agent(), slug: 'my-own-slug' })).toMatchObject({
      status: 201,
      body: { slug: 'my-own-slug' },
    });
    expect(await register({ url: agent(), slug: 'my-own-slug' })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    for (const slug of ['admin', 'new', 'Bad Slug', '../x', '']) {
      const { status, body } = await register({ url: agent(), slug });
      expect([status, body.code]).toEqual([400, 'invalid_request']);
      expect(body.faults).toMatchObject([{ pointer: '/slug' }]);
    }
    expect((await register({ url: agent({ name: 'Settings' }) })).body.slug).toBe('settings-agent');
    expect((await register({ url: agent({ name: '翻訳エージェント' }) })).body.slug).toMatch(/^agent-[0-9a-z]{6}$/);
  });

  test('accepts only the user’s own app', async () => {
    const app = await call('/api/apps', { name: 'Mine' });
    const unauthorized = await call('/api/apps', { name: 'Bob’s' }, bob);
    expect((await register({ url: agent(), appId: app.body.id })).status).toBe(201);
    for (const appId of [unauthorized.body.id, 'app_unknown']) {
      const { status, body } = await register({ url: agent(), appId });
      expect([status, body.faults]).toMatchObject([400, [{ pointer: '/appId' }]]);
    }
  });

  test.each([
    { ownerId: 'usr_1' },
    { status: 'suspended' },
    { everPublic: true },
    { name: 'Chosen by me' },
    { visibility: 'secret' },
    { tags: 'one' },
    { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) },
    { tags: ['x'.repeat(41)] },
    { tags: ['\u200b'] },
    { url: 7 },
    { confirmOrigin: 'yes' },
  ])('rejects unknown members and invalid values: %o', async (extra) => {
    const { status, body } = await register({ url: cards.base('never-fetched'), ...extra });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(cards.requests.filter((request) => request.includes('never-fetched'))).toEqual([]);
  });

  test('requires a user with the scope agents:write', async () => {
    const url = agent();
    expect((await send(`${parley.url}/api/agents`, { body: { url } })).status).toBe(401);
    const made = await send(`${parley.url}/api/auth/access-tokens`, {
      body: { name: 'reader', scopes: ['agents:read', 'handshake'] },
      cookie: ada.cookie,
      origin: parley.url,
    });
    const { token } = (await made.json()) as { token: string };
    for (const path of ['/api/agents', '/api/agents/preview']) {
      const refused = await send(`${parley.url}${path}`, { body: { url }, bearer: token });
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'insufficient_scope']);
    }
    expect((await send(`${parley.url}/api/agents`, { body: { url }, cookie: ada.cookie })).status).toBe(403);
    expect(
      (await send(`${parley.url}/api/agents`, { body: { url }, cookie: ada.cookie, origin: parley.url })).status,
    ).toBe(201);
  });
});

describe('the search for an agent’s card', () => {
  test('falls back to agent.json, under the same path', async () => {
    cards.on('GET', '/deep/path/.well-known/agent.json', (_request, response) => {
      response.end(JSON.stringify(cardV03(cards.base('deep/path'), { name: 'Deep' })));
    });
    expect(await register({ url: cards.base('deep/path/') })).toMatchObject({ status: 201, body: { slug: 'deep' } });
    expect(cards.requests.filter((request) => request.includes('/deep/'))).toEqual([
      'GET /deep/path/',
      'GET /deep/path/.well-known/agent-card.json',
      'GET /deep/path/.well-known/agent.json',
    ]);
  });

  test('accepts a card at another path by its .json URL', async () => {
    cards.on('GET', '/files/my-card.json', (_request, response) =>
      response.end(JSON.stringify(cardV03(cards.base('files')))),
    );
    expect((await register({ url: cards.base('files/my-card.json') })).status).toBe(201);
    expect(cards.requests.filter((request) => request.includes('/files/'))).toEqual(['GET /files/my-card.json']);
  });

  test('reports the responses from all tried URLs if there is no card', async () => {
    const { status, body } = await register({ url: cards.base('empty') });
    expect([status, body.code]).toEqual([422, 'card_unreachable']);
    expect(body.title).toContain('/empty/.well-known/agent-card.json');
    expect(body.title).toContain('returned HTTP 404');
  });

  test('accepts a full URL that serves the card itself, even without .json', async () => {
    const at = '/projects/p1/agents/a/agentCard/v1.0?api-version=2';
    cards.on('GET', at, (_request, response) => {
      response.end(JSON.stringify(cardV03(cards.base('foundry'), { name: 'Foundry' })));
    });
    expect((await register({ url: `${cards.url}${at}` })).status).toBe(201);
    expect((await register({ url: `${cards.url}${at}` })).status).toBe(200);
    expect((await preview({ url: `${cards.url}${at}` })).body).toMatchObject({ cardUrl: `${cards.url}${at}` });
  });

  // langchain-ai/langgraph: one host, a card per assistant at /.well-known/agent-card.json?assistant_id=…
  test('lists two assistants whose card URLs differ only in the query as two agents', async () => {
    const slugs: unknown[] = [];
    for (const id of ['one', 'two']) {
      const at = `/graph/.well-known/agent-card.json?assistant_id=${id}`;
      cards.on('GET', at, (_request, response) => {
        response.end(JSON.stringify(cardV03(`${cards.base('graph')}/${id}`, { name: `Assistant ${id}` })));
      });
      const { status, body } = await register({ url: `${cards.url}${at}` });
      expect(status).toBe(201);
      slugs.push(body.slug);
    }
    expect(slugs).toEqual(['assistant-one', 'assistant-two']);
    const before = cards.requests.length;
    const refreshed = await call('/api/agents/assistant-two/refresh', {});
    expect(refreshed).toMatchObject({ status: 200, body: { changed: false } });
    expect(cards.requests.slice(before)).toEqual(['GET /graph/.well-known/agent-card.json?assistant_id=two']);
  });

  test.each(['<!doctype html><title>Welcome</title>', '{"detail":"Not Found"}', '[]', 'ok'])(
    'continues after a 200 response that is not a card: %s',
    async (text) => {
      const name = `spa-${++counter}`;
      const answer = (_request: unknown, response: { end: (body: string) => void }): void => response.end(text);
      cards.on('GET', `/${name}`, answer);
      cards.on('GET', `/${name}/.well-known/agent-card.json`, answer);
      cards.on('GET', `/${name}/.well-known/agent.json`, (_request, response) => {
        response.end(JSON.stringify(cardV03(cards.base(name), { name })));
      });
      expect((await register({ url: cards.base(name) })).status).toBe(201);
    },
  );

  test('finds a pasted endpoint’s card at its origin, and lists the agent once', async () => {
    const origin = await CardServer.start();
    try {
      origin.on('GET', '/.well-known/agent-card.json', (_request, response) => {
        response.end(JSON.stringify(cardV03(origin.url, { name: 'At the origin', url: `${origin.url}/a2a/v1/rpc` })));
      });
      const first = await register({ url: `${origin.url}/a2a/v1/rpc` });
      expect([first.status, first.body.slug]).toEqual([201, 'at-the-origin']);
      expect((await register({ url: origin.url })).status).toBe(200);
      expect((await preview({ url: `${origin.url}/a2a/v1/rpc` })).body).toMatchObject({ isListed: true });
    } finally {
      await origin.stop();
    }
  });

  test('SSRF-5: never follows a redirect, and reports its target', async () => {
    const target = elsewhere.serve('target', cardV10(elsewhere.base('target')));
    for (const status of [301, 302, 303, 307, 308]) {
      const name = `redirect-${status}`;
      cards.on('GET', `/${name}/.well-known/agent-card.json`, (_request, response) => {
        response.writeHead(status, { location: `${target}/.well-known/agent-card.json` }).end();
      });
      const answer = await register({ url: cards.base(name) });
      expect([answer.status, answer.body.code]).toEqual([422, 'card_unreachable']);
      expect(answer.body.title).toContain('Redirects are not followed');
    }
    expect(elsewhere.requests).toEqual([]);
  });

  test('LIM-1, SSRF-5: reads at most 1 MB, for declared and undeclared lengths', async () => {
    cards.on('GET', '/huge/.well-known/agent-card.json', (_request, response) => {
      response.writeHead(200, { 'content-length': String(10_000_000) });
      response.write(' '.repeat(100_000));
    });
    const declared = await register({ url: cards.base('huge') });
    expect([declared.status, declared.body.code]).toEqual([422, 'card_unreachable']);
    expect(declared.body.title).toContain('1048576 bytes');
    let written = 0;
    cards.on('GET', '/endless/.well-known/agent-card.json', (_request, response) => {
      response.writeHead(200);
      const more = (): void => {
        written += 65_536;
        if (!response.destroyed) response.write(' '.repeat(65_536), more);
      };
      more();
    });
    const endless = await register({ url: cards.base('endless') });
    expect([endless.status, endless.body.code]).toEqual([422, 'card_unreachable']);
    expect(endless.body.title).toContain('1048576 bytes');
    expect(written).toBeLessThan(20_000_000);
  });

  test('LIM-4: rejects compressed responses', async () => {
    cards.serve('gzip', Buffer.from([0x1f, 0x8b, 8, 0]), { 'content-encoding': 'gzip' });
    expect((await register({ url: cards.base('gzip') })).body.code).toBe('card_unreachable');
  });

  test('LIM-2: times out after 10 s if the agent never responds or never finishes', async () => {
    cards.on('GET', '/silent/.well-known/agent-card.json', () => {});
    cards.on('GET', '/drip/.well-known/agent-card.json', (_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 200);
      response.once('close', () => clearInterval(timer));
    });
    const started = Date.now();
    const [silent, drip] = await Promise.all([
      register({ url: cards.base('silent') }),
      register({ url: cards.base('drip') }),
    ]);
    expect(Date.now() - started).toBeLessThan(15_000);
    expect(silent).toMatchObject({ status: 422, body: { code: 'card_unreachable' } });
    for (const { body } of [silent, drip]) expect(body.title).toMatch(/did not return a complete response within 10 s/);
  });
});

describe('the report for a URL without a card', () => {
  const titleOf = async (url: string): Promise<string> => {
    const { status, body } = await register({ url });
    expect([status, ['card_unreachable', 'url_refused'].includes(String(body.code))]).toEqual([422, true]);
    expect((await preview({ url })).body.title).toBe(body.title);
    return String(body.title);
  };

  test.each(['localhost:4104', '127.0.0.1:4104/a2a', 'agent:8080', '[::1]:4104'])(
    'says that %s lacks a scheme, and suggests one',
    async (url) => {
      expect(await titleOf(url)).toBe(
        `"${url}" has no scheme. Use http://${url}, or https://${url} if the agent uses TLS.`,
      );
    },
  );

  test('distinguishes a closed port, a disconnection, another protocol and missing TLS', async () => {
    const closed = await CardServer.start();
    const closedUrl = closed.url;
    await closed.stop();
    expect(await titleOf(closedUrl)).toContain(
      `Connection refused: nothing is listening at ${new URL(closedUrl).host}`,
    );
    cards.on('GET', '/hangs-up/.well-known/agent-card.json', (request) => request.socket.destroy());
    expect(await titleOf(cards.base('hangs-up'))).toContain('closed the connection before the response was complete');
    const garbage = createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.6\r\n'));
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve));
    const { port } = garbage.address() as AddressInfo;
    expect(await titleOf(`http://127.0.0.1:${port}`)).toContain('is not HTTP. Check the port');
    garbage.close();
    expect(await titleOf(cards.base('tls').replace('http:', 'https:'))).toMatch(/AGENT_URL_ALLOW/);
  });

  test('names the operator’s rule, and the response’s status and content type', async () => {
    expect(await titleOf('http://192.0.2.1/agent')).toMatch(/not https.*AGENT_URL_ALLOW/);
    cards.on('GET', '/locked/.well-known/agent-card.json', (_request, response) => response.writeHead(401).end());
    expect(await titleOf(cards.base('locked'))).toContain('/locked/.well-known/agent-card.json returned HTTP 401');
    cards.on('GET', '/page', (_request, response) => response.end('<html>'));
    expect(await titleOf(cards.base('page'))).toContain('/page returned an HTML or XML page');
  });

  test('says that a name does not exist', async () => {
    expect(await titleOf('https://no-such-agent.invalid')).toMatch(
      /"no-such-agent\.invalid" (does not exist|could not be looked up) in DNS/,
    );
  });
});

describe('a card that sends calls to another origin', () => {
  test('SSRF-6: requires the user’s confirmation, again if the origin changes to a third one', async () => {
    const name = 'cross';
    const url = cards.serve(name, cardV10(elsewhere.url, { name: 'Cross' }));
    const origin = { found: elsewhere.url, expected: cards.url };
    expect(await preview({ url })).toMatchObject({ status: 200, body: { otherOrigin: origin, faults: [] } });
    expect(await register({ url })).toMatchObject({ status: 409, body: { code: 'confirm_origin', ...origin } });
    expect((await register({ url, confirmOrigin: false })).status).toBe(409);
    expect((await register({ url, confirmOrigin: true })).status).toBe(201);
    expect((await register({ url })).status).toBe(200);
    cards.serve(name, cardV10('http://127.0.0.1:9', { name: 'Cross' }));
    expect(await register({ url })).toMatchObject({
      status: 409,
      body: { code: 'confirm_origin', found: 'http://127.0.0.1:9' },
    });
  });
});

describe('a preview of a listing', () => {
  test('shows the future listing without storing any data', async () => {
    const url = agent(
      { name: 'Only looking', version: undefined, supportedInterfaces: undefined, url: undefined },
      cardV03,
    );
    cards.serve(url.split('/').at(-1) ?? '', {
      name: 'Only looking',
      description: 'Looks',
      url: `${url}/rpc`,
      capabilities: { streaming: true },
    });
    const { status, body } = await preview({ url });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      cardUrl: `${url}/.well-known/agent-card.json`,
      card: {
        name: 'Only looking',
        protocolVersion: '0.3',
        endpointUrl: `${url}/rpc`,
        badges: ['streaming'],
        skills: [],
      },
      faults: [],
      slug: 'only-looking',
      isListed: false,
      otherOrigin: null,
    });
    const rules = (body.warnings as { rule: string }[]).map(({ rule }) => rule);
    expect(rules).toContain('version.missing');
    expect((await fetch(`${parley.url}/api/agents/only-looking`)).status).toBe(404);
  });

  test('accepts only the URL', async () => {
    expect((await preview({ url: agent(), slug: 'x' })).status).toBe(400);
  });
});
