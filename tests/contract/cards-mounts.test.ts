import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '@/lib/endpoints/table';
import { newUuid } from '@/lib/platform/ids';
import { startChattyAgent } from '../fakes/chatty-agent';
import { type Connection, connectTo, createPerson, listAgent, post, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

/** The card of every address of calls: SDKs append its path to the address, or resolve it against the address. */
let parley: SharedParley;
let chattyAgent: Awaited<ReturnType<typeof startChattyAgent>>;
let connection: Connection;
let slug: string;

beforeAll(async () => {
  chattyAgent = await startChattyAgent();
  parley = await sharedParley();
  const ada = await createPerson(parley.url, 'Ada');
  slug = await listAgent(parley.url, ada, { url: chattyAgent.agent.url });
  connection = await connectTo(parley.url, ada, slug);
});
afterAll(() => chattyAgent?.agent.stop());

/** Addresses that take messages: all of JSON-RPC, and the base URLs of HTTP+JSON. */
const calls = endpoints.filter(({ method, serve }) => method === 'POST' && serve.takesAgentTokens);
const addresses = [
  ...calls.map(({ path }) => path).filter((path) => !path.includes('/a2a/rest/')),
  ...calls.flatMap(({ path }) => /^.*\/a2a\/rest(?:\/v1)?(?=\/message:send$)/.exec(path)?.[0] ?? []),
];

const names = ['agent-card.json', 'agent.json'];
const versions = ['', '0.3', '1.0'];

interface Card {
  name: string;
  protocolVersion?: string;
  url?: string;
  preferredTransport?: string;
  additionalInterfaces?: { url: string; transport: string }[];
  supportedInterfaces?: { url: string; protocolBinding: string; protocolVersion: string }[];
}

/** The interfaces that a card declares, as `version binding url`. */
function interfacesOf({ protocolVersion = '', url, supportedInterfaces = [], ...card }: Card): string[] {
  const version = protocolVersion.startsWith('0.3') ? '0.3' : '0.1';
  return [
    ...(url ? [`${version} ${card.preferredTransport ?? 'JSONRPC'} ${url}`] : []),
    ...(card.additionalInterfaces ?? []).map((one) => `0.3 ${one.transport} ${one.url}`),
    ...supportedInterfaces.map((one) => `${one.protocolVersion} ${one.protocolBinding} ${one.url}`),
  ];
}

const metadata = (): object => ({ agent: slug });
const message10 = () => ({ messageId: newUuid(), role: 'ROLE_USER', parts: [{ text: 'hi' }] });
const message03 = () => ({
  messageId: newUuid(),
  role: 'user',
  kind: 'message',
  parts: [{ kind: 'text', text: 'hi' }],
});

/** Sends a message as a client of that version and binding does, and returns the response as text. */
async function call(declared: string): Promise<string> {
  const [version = '', binding, url = ''] = declared.split(' ');
  const headers: Record<string, string> = version === '1.0' ? { 'a2a-version': '1.0' } : {};
  if (binding === 'HTTP+JSON') {
    const body = { message: version === '1.0' ? message10() : message03(), configuration: { blocking: true } };
    const path = version === '1.0' ? '/message:send' : '/v1/message:send';
    return (await send(`${url}${path}`, { body, bearer: connection.token, headers })).text();
  }
  const params = {
    '1.0': ['SendMessage', { message: message10(), metadata: metadata() }],
    '0.3': ['message/send', { message: message03(), metadata: metadata() }],
    '0.1': [
      'tasks/send',
      { id: newUuid(), message: { role: 'user', parts: [{ type: 'text', text: 'hi' }] }, metadata: metadata() },
    ],
  }[version];
  const body = { jsonrpc: '2.0', id: '1', method: params?.[0], params: params?.[1] };
  return (await post({ ...connection, url, headers }, body)).text();
}

const results = new Map<string, Promise<string>>();
/** The result of {@link call}, which is the same for every card that declares the interface. */
function callOnce(declared: string): Promise<string> {
  const known = results.get(declared) ?? call(declared);
  results.set(declared, known);
  return known;
}

/** The URLs at which SDKs request the card for an address. */
function cardUrlsOf(address: string, name: string): string[] {
  const url = parley.url + address.replace(':slug', slug);
  const appended = `${url.replace(/\/$/, '')}/.well-known/${name}`;
  // The folder of an agent's own address names no agent.
  return address.endsWith('/:slug') ? [appended] : [appended, new URL(`.well-known/${name}`, url).href];
}

test('the table of paths contains every path that accepts messages', () => {
  expect(addresses.toSorted()).toEqual([
    ...['/', '/a2a', '/a2a/jsonrpc', '/a2a/rpc', '/agents/:slug'],
    ...['jsonrpc', 'rest', 'rest/v1', 'rpc'].map((path) => `/agents/:slug/a2a/${path}`),
    ...['/agents/:slug/society', '/agents/:slug/tasks/process', '/tasks/process'],
    ...['/v1/agent-systems/:slug', '/v1/agent-systems/:slug/a2a', '/v1/agents/:slug/a2a'],
  ]);
});

describe.each(addresses)('the card for %s', (address) => {
  test.each(names.flatMap((name) => versions.map((version) => [name, version])))(
    'is served as %s in version "%s", and all of its interfaces can be called',
    async (name, version) => {
      for (const url of cardUrlsOf(address, name)) {
        const response = await fetch(url, { headers: version ? { 'a2a-version': version } : {} });
        expect([response.status, url]).toEqual([200, url]);
        expect(response.headers.get('access-control-allow-origin'), url).toBe('*');
        const card = (await response.json()) as Card;
        expect(card.name).toBe(address.includes(':slug') ? 'Talker' : 'Parley');
        const declared = interfacesOf(card);
        expect(declared.length, url).toBeGreaterThan(0);
        if (version && name === 'agent-card.json') {
          expect(declared.every((one) => one.startsWith(version) || version === '0.3')).toBe(true);
        }
        for (const one of declared) expect(await callOnce(one), `${url}: ${one}`).toMatch(/completed|COMPLETED/);
      }
    },
  );
});

test.each([
  ['/agents/:slug/society', '/agents/:slug/society'],
  ['/agents/:slug/tasks/process', '/agents/:slug/tasks/process'],
  ['/agents/:slug/a2a/rpc', '/agents/:slug/a2a/rpc'],
  ['/v1/agent-systems/:slug', '/v1/agent-systems/:slug'],
  ['/v1/agents/:slug/a2a', '/v1/agent-systems/:slug'],
  ['/tasks/process', '/tasks/process'],
  ['/a2a/rpc', '/a2a/rpc'],
])('an agent’s card is found under both names by legacy clients that send no version: %s', async (address, path) => {
  const at = async (name: string, version: string): Promise<Card> => {
    const url = `${parley.url}${address.replace(':slug', slug)}/.well-known/${name}`;
    return (await (await fetch(url, { headers: version ? { 'a2a-version': version } : {} })).json()) as Card;
  };
  const card = await at('agent.json', '');
  expect(card.url).toBe(parley.url + path.replace(':slug', slug));
  expect(await at('agent-card.json', '')).toEqual(card);
  expect((await at('agent-card.json', '1.0')).supportedInterfaces?.[0]?.url).toMatch(/\/a2a\/jsonrpc$/);
});

test('an unknown agent has no card under any path that accepts messages', async () => {
  for (const address of addresses.filter((path) => path.includes(':slug'))) {
    const url = parley.url + address.replace(':slug', 'never-was');
    for (const name of names) expect((await fetch(`${url}/.well-known/${name}`)).status, url).toBe(404);
  }
});
