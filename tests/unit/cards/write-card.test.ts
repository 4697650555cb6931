import { AgentCard as AgentCardV10 } from '@a2a-js/sdk';
import { DefaultAgentCardResolver as ResolverV10 } from '@a2a-js/sdk/client';
import { DefaultAgentCardResolver as ResolverV03 } from 'a2a-sdk-0-3/client';
import { describe, expect, test } from 'vitest';
import { readCard } from '@/lib/protocol/a2a/cards/read-card';
import { type IssuedCard, writeCard } from '@/lib/protocol/a2a/cards/write-card';
import { cardV03, cardV10, cardWeb42 } from '../../fakes/cards';

const url = 'https://parley.example.com/agents/translator/a2a/jsonrpc';
const restUrl = 'https://parley.example.com/agents/translator/a2a/rest';

function issued(card: object): IssuedCard {
  const reading = readCard(Buffer.from(JSON.stringify(card)), {
    cardUrl: 'https://agent.example.com/.well-known/agent-card.json',
    assumedEndpoint: 'https://agent.example.com/a2a/jsonrpc',
    refusalOf: () => null,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  return {
    ...reading.card,
    url,
    restUrl,
    bearer: { name: 'parley', description: 'By handshake.', scopes: ['agent:call'] },
  };
}

const full = issued(
  cardV10('https://agent.example.com', {
    provider: { organization: 'Example', url: 'https://example.com/' },
    documentationUrl: 'https://example.com/docs',
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extensions: [{ uri: 'https://x.example/v1', required: true, params: { roles: ['merchant'] } }],
    },
  }),
);
const bare = issued({ name: 'Minimal', description: 'Does one thing' });
const cards: [string, IssuedCard][] = [
  ['a full card', full],
  ['a minimal card', bare],
  ['a 0.3 card', issued(cardV03('https://agent.example.com'))],
  ['a Web42 card', issued(cardWeb42())],
];

/** Every empty text, list and object in a value, by path. */
function empties(value: unknown, path = ''): string[] {
  if (value === '' || value === null || value === undefined) return [path];
  if (typeof value !== 'object') return [];
  const entries = Object.entries(value);
  return entries.length === 0 ? [path] : entries.flatMap(([name, inner]) => empties(inner, `${path}/${name}`));
}

const serve = (card: object) => (): Promise<Response> => Promise.resolve(Response.json(card));

describe.each(cards)('a written card: %s', (_title, card) => {
  test('has no empty members in either version, so that all canonicalizations agree', () => {
    expect(empties(writeCard(card, '1.0'))).toEqual([]);
    expect(empties(writeCard(card, '0.3'))).toEqual([]);
  });

  test('in 1.0 survives the @a2a-js/sdk 1.3.0 codec unchanged', () => {
    const written = writeCard(card, '1.0');
    expect(AgentCardV10.toJSON(AgentCardV10.fromJSON(written))).toEqual(written);
  });

  test('in 1.0 is resolved by the @a2a-js/sdk 1.3.0 client', async () => {
    const resolver = new ResolverV10({ fetchImpl: serve(writeCard(card, '1.0')) as typeof fetch });
    const resolved = await resolver.resolve('https://parley.example.com/');
    expect(resolved.supportedInterfaces).toEqual([
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
      { url: restUrl, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: '' },
    ]);
    expect(resolved.securitySchemes.parley?.scheme).toMatchObject({
      $case: 'httpAuthSecurityScheme',
      value: { scheme: 'bearer' },
    });
  });

  test('in the hybrid form is read by @a2a-js/sdk 0.3.14 as a 0.3 card', async () => {
    const resolver = new ResolverV03({ fetchImpl: serve(writeCard(card, '0.3')) as typeof fetch });
    const resolved = await resolver.resolve('https://parley.example.com/');
    expect(resolved).toMatchObject({
      protocolVersion: '0.3.0',
      url,
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [
        { url, transport: 'JSONRPC' },
        { url: restUrl, transport: 'HTTP+JSON' },
      ],
      securitySchemes: { parley: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      security: [{ parley: ['agent:call'] }],
    });
    expect(resolved.skills.length).toBeGreaterThan(0);
  });

  test('in the hybrid form offers both versions to 1.0 readers', () => {
    const interfaces = AgentCardV10.fromJSON(writeCard(card, '0.3')).supportedInterfaces;
    expect(interfaces.map(({ protocolVersion }) => protocolVersion)).toEqual(['1.0', '1.0', '0.3', '0.3']);
  });
});

test('a written card contains the agent’s description but none of its connection details', () => {
  const written = writeCard(full, '1.0');
  expect(written).toMatchObject({
    name: 'Translator',
    provider: { organization: 'Example', url: 'https://example.com/' },
    documentationUrl: 'https://example.com/docs',
    skills: [{ id: 'translate', tags: ['Translation', 'languages'], examples: ['Translate this letter into French'] }],
    capabilities: { extensions: [{ uri: 'https://x.example/v1', required: true, params: { roles: ['merchant'] } }] },
  });
  expect(JSON.stringify(written)).not.toContain('agent.example.com');
  expect(JSON.stringify(written)).not.toContain('"url":""');
  for (const member of ['url', 'preferredTransport', 'protocolVersion', 'security'])
    expect(written).not.toHaveProperty(member);
});

test('a written card has one default skill if the agent has none', () => {
  expect(writeCard(bare, '1.0').skills).toEqual([
    { id: 'default', name: 'Minimal', description: 'Does one thing', tags: ['general'] },
  ]);
});
