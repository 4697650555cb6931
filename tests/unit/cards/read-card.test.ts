import { AgentCard } from '@a2a-js/sdk';
import { describe, expect, test } from 'vitest';
import type { CardContext } from '@/lib/protocol/a2a/cards/diagnostics';
import { type CardReading, readCard } from '@/lib/protocol/a2a/cards/read-card';
import { grpcUrlsOf } from '@/lib/protocol/a2a/core/card';
import { badCards, flawedCards } from '../../fakes/bad-cards';
import { cardV03, cardV10, cardWeb42 } from '../../fakes/cards';

const base = 'https://agent.example.com';
const context: CardContext = {
  cardUrl: `${base}/.well-known/agent-card.json`,
  assumedEndpoint: `${base}/a2a/jsonrpc`,
  refusalOf: (url) => (/^https:\/\/[a-z]/.test(url) ? null : 'This URL cannot be used.'),
};

function read(card: unknown, change: Partial<CardContext> = {}): CardReading {
  const text = typeof card === 'string' ? card : JSON.stringify(card);
  return readCard(Buffer.from(text), { ...context, ...change });
}

function good(card: unknown): Extract<CardReading, { ok: true }> {
  const reading = read(card);
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  return reading;
}

const rules = (list: { rule: string; pointer: string }[]): string[] =>
  list.map(({ rule, pointer }) => `${rule} ${pointer}`);

describe('a valid card', () => {
  test('for A2A 1.0 is read without a warning', () => {
    const { card, endpoints, warnings } = good(cardV10(base));
    expect(warnings).toEqual([]);
    expect(endpoints).toEqual([{ url: `${base}/a2a`, binding: 'JSONRPC', protocolVersion: '1.0', tenant: null }]);
    expect(card.securitySchemes).toEqual({
      bearer: { type: 'http', description: '', scheme: 'bearer', bearerFormat: 'JWT' },
    });
    expect(card.security).toEqual([{ bearer: [] }]);
    expect(card.skills[0]?.tags).toEqual(['Translation', 'languages']);
  });

  test('for A2A 0.3 is read as the same core card as its 1.0 equivalent, except for the interface', () => {
    const { interfaces: _v03, ...older } = good(cardV03(base)).card;
    const { interfaces: _v10, ...newer } = good(cardV10(base)).card;
    expect(older).toEqual(newer);
    expect(good(cardV03(base)).endpoints[0].protocolVersion).toBe('0.3');
  });

  test('is also read if its security has the in-memory form that the SDK 1.3.0 handler serves', () => {
    const flows = { clientCredentials: { tokenUrl: `${base}/token`, scopes: { read: 'Read', write: 'Write' } } };
    const written = cardV10(base, {
      securitySchemes: {
        bearer: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } },
        key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
        oauth: { oauth2SecurityScheme: { flows } },
        oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: `${base}/openid` } },
        mtls: { mtlsSecurityScheme: { description: 'Ours' } },
      },
    });
    const inMemory = JSON.parse(JSON.stringify(AgentCard.fromJSON(written))) as object;
    expect(JSON.stringify(inMemory)).toContain('$case');
    expect(good(inMemory).card).toEqual(good(written).card);
    expect(good(written).card.securitySchemes.oauth).toMatchObject({
      flows: ['clientCredentials'],
      scopes: ['read', 'write'],
    });
  });

  test.each([
    { scheme: { $case: 'somethingElse', value: {} } },
    { scheme: { $case: 'httpAuthSecurityScheme', value: 'bearer' } },
    { scheme: { $case: 'httpAuthSecurityScheme', value: { scheme: 7 } } },
    { scheme: 'bearer' },
  ])('with a security scheme like %j is read with a warning', (scheme) => {
    const reading = good(cardV10(base, { securitySchemes: { bearer: scheme } }));
    expect(reading.warnings.map(({ pointer }) => pointer).join()).toContain('/securitySchemes/bearer');
  });

  test.each(['0.2', '0.2.6', '0.3', '0.3.0'])('with protocolVersion %s is called in 0.3', (protocolVersion) => {
    expect(good(cardV03(base, { protocolVersion })).endpoints[0].protocolVersion).toBe('0.3');
  });

  test('without a protocol version is read as 0.3, with a warning', () => {
    const reading = good(cardV03(base, { protocolVersion: undefined, preferredTransport: undefined }));
    expect(reading.endpoints[0].protocolVersion).toBe('0.3');
    expect(rules(reading.warnings)).toEqual(['version.missing /protocolVersion']);
  });

  test('in both shapes is read by its interfaces', () => {
    const hybrid = {
      ...cardV03(base),
      supportedInterfaces: [{ url: `${base}/one`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    };
    expect(good(hybrid).endpoints[0]).toMatchObject({ url: `${base}/one`, protocolVersion: '1.0' });
  });

  test('lists every interface that Parley supports, in the card’s order', () => {
    const offers = [
      ['GRPC', '1.0'],
      ['JSONRPC', '2.0'],
      ['jsonrpc', '0.3.1'],
      ['HTTP+JSON', '1.0'],
      ['http+json', '0.1'],
      ['JSONRPC', '0.2.6'],
      ['JSONRPC', '1.0'],
    ].map(([protocolBinding, protocolVersion], index) => ({
      url: `${base}/${index}`,
      protocolBinding,
      protocolVersion,
      tenant: 't1',
    }));
    const { endpoints, card } = good(cardV10(base, { supportedInterfaces: offers }));
    expect(endpoints).toEqual([
      { url: base, binding: 'GRPC', protocolVersion: '1.0', tenant: 't1' },
      { url: `${base}/2`, binding: 'JSONRPC', protocolVersion: '0.3', tenant: 't1' },
      { url: `${base}/3`, binding: 'HTTP+JSON', protocolVersion: '1.0', tenant: 't1' },
      { url: `${base}/5`, binding: 'JSONRPC', protocolVersion: '0.3', tenant: 't1' },
      { url: `${base}/6`, binding: 'JSONRPC', protocolVersion: '1.0', tenant: 't1' },
    ]);
    expect(card.interfaces).toHaveLength(7);
  });

  test('does not list later interfaces at URLs that cannot be called', () => {
    const additionalInterfaces = [
      { url: 'http://10.0.0.1/a2a', transport: 'JSONRPC' },
      { url: `${base}/rest`, transport: 'HTTP+JSON' },
    ];
    const { endpoints } = good(cardV03(base, { additionalInterfaces }));
    expect(endpoints.map(({ url }) => url)).toEqual([`${base}/a2a`, `${base}/rest`]);
  });

  test('for 0.3 whose main URL is gRPC is called at its additional JSON-RPC interface', () => {
    const additionalInterfaces = [
      { url: `${base}/grpc`, transport: 'GRPC' },
      { url: `${base}/rpc`, transport: 'JSONRPC' },
    ];
    const card = cardV03(base, { url: `${base}/grpc`, preferredTransport: 'GRPC', additionalInterfaces });
    expect(good(card).endpoints[0].url).toBe(`${base}/rpc`);
    expect(good(card).card.interfaces).toHaveLength(2);
  });

  test('for Web42 can contain only a name and a description, and is called at an assumed URL', () => {
    const reading = good({ name: 'Minimal', description: 'Does one thing' });
    expect(reading.endpoints[0]).toMatchObject({ url: `${base}/a2a/jsonrpc`, protocolVersion: '0.3' });
    expect(reading.diagnosticIfSilent).toMatchObject({ rule: 'endpoint.missing', line: 1, column: 1, pointer: '/url' });
    expect(reading.card).toMatchObject({ version: '0.0.0', inputModes: ['text/plain'], skills: [] });
    expect(rules(reading.warnings)).toContain('endpoint.assumed /url');
    expect(good(cardWeb42()).card.skills[0]?.id).toBe('order');
  });

  test('is invalid without a URL if none can be assumed', () => {
    const reading = read(cardWeb42(), { assumedEndpoint: null });
    expect(reading.ok ? [] : rules(reading.faults)).toEqual(['endpoint.missing /url']);
  });
});

describe('an A2A 0.1 card', () => {
  const society = {
    name: 'claude',
    description: 'Claude Code agent',
    url: `${base}/`,
    skills: [{ id: 'code', name: 'Code Assistant' }],
    capabilities: { streaming: false, pushNotifications: false },
  };
  const societyAi = {
    name: 'research-agent',
    description: 'Deep research agent that synthesizes multiple sources',
    url: `${base}/tasks/process`,
    version: '1.0.0',
    capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: true },
    skills: [
      { id: 'research-topic', name: 'Topic Research', description: 'Any topic', tags: ['papers'], examples: [] },
    ],
    authentication: { schemes: ['bearer'], credentials: null },
  };
  const agentOs = {
    name: 'research-agent',
    description: 'Researches',
    url: `${base}/a2a/rpc`,
    capabilities: { tools: ['search', 'read'], streaming: true, pushNotifications: false },
    skills: [{ id: 'research', name: 'Research', description: 'Researches' }],
    authentication: { schemes: ['bearer', 'apiKey'] },
    defaultInputModes: ['text'],
    defaultOutputModes: ['text'],
  };

  test('from Society AI is called in 0.1 at its url, with a bearer token', () => {
    const { endpoints, card } = good(societyAi);
    expect(endpoints).toEqual([
      { url: `${base}/tasks/process`, binding: 'JSONRPC', protocolVersion: '0.1', tenant: null },
    ]);
    expect(card.capabilities).toMatchObject({ streaming: true, stateTransitionHistory: true });
    expect(card.securitySchemes).toMatchObject({ bearer: { type: 'http', scheme: 'bearer' } });
    expect(card.security).toEqual([{ bearer: [] }]);
  });

  test('from AgentOS has tools and short modes, and is called at its rpc url', () => {
    const { endpoints, card } = good(agentOs);
    expect(endpoints.map(({ url, protocolVersion }) => [url, protocolVersion])).toEqual([[`${base}/a2a/rpc`, '0.1']]);
    expect(card.inputModes).toEqual(['text/plain']);
    expect(card.security).toEqual([{ bearer: [] }, { apiKey: [] }]);
  });

  test('from Society, which declares no version, is called in 0.3 and then in 0.1', () => {
    const { endpoints, card } = good(society);
    expect(endpoints.map(({ url, protocolVersion }) => [url, protocolVersion])).toEqual([
      [`${base}/`, '0.3'],
      [`${base}/`, '0.1'],
    ]);
    expect(card.skills[0]).toMatchObject({ id: 'code', name: 'Code Assistant', description: '' });
  });

  test('from Orloj, which declares 0.2 and authentication, is called in 0.3 and then in 0.1', () => {
    const { endpoints } = good(
      cardV03(base, { protocolVersion: '0.2', preferredTransport: undefined, authentication: { schemes: ['bearer'] } }),
    );
    expect(endpoints.map(({ protocolVersion }) => protocolVersion)).toEqual(['0.3', '0.1']);
  });

  test.each(['0.1', '0.1.0'])('that declares %s is called in 0.1', (protocolVersion) => {
    expect(good(cardV03(base, { protocolVersion })).endpoints.map((each) => each.protocolVersion)).toEqual(['0.1']);
  });

  test('gets one warning if its authentication has the wrong type', () => {
    const reported = rules(good({ ...societyAi, authentication: 'bearer' }).warnings);
    expect(reported.filter((rule) => rule.includes('/authentication'))).toEqual(['member.type /authentication']);
  });
});

describe('a card with flaws that do not prevent calls', () => {
  test('XSS-3: is read without control, direction and zero-width characters, with a warning', () => {
    const reading = good(
      cardV10(base, { name: 'Bank\u202egnp\u2066 Bot\u0007', description: 'One\r\ntwo\u200b\tthree \u{e0041}' }),
    );
    expect(reading.card.name).toBe('Bankgnp Bot');
    expect(reading.card.description).toBe('One\ntwo\tthree');
    expect(rules(reading.warnings)).toEqual(['text.hidden-characters /name', 'text.hidden-characters /description']);
    expect(reading.warnings[0]?.found).toBe('"Bank\\u202egnp\\u2066 Bot\\u0007"');
  });

  test.each(['👩‍💻 Coder', 'نمی‌دانم', 'हिन्दी क्‍ष', 'Cafe\u0301 — naïve', 'No\u00a0break'])('keeps %s', (name) => {
    const reading = good(cardV10(base, { name }));
    expect(reading.warnings).toEqual([]);
    expect(reading.card.name).toBe(name.replace(/\u00a0/g, ' '));
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', '/docs', 'ftp://example.com/'])(
    'XSS-1: drops the link %s',
    (link) => {
      const reading = good(
        cardV10(base, { documentationUrl: link, iconUrl: link, provider: { organization: 'Org', url: link } }),
      );
      expect(reading.card).toMatchObject({ documentationUrl: null, iconUrl: null, provider: null });
      expect(rules(reading.warnings)).toEqual([
        'url.web /provider/url',
        'url.web /documentationUrl',
        'url.web /iconUrl',
      ]);
    },
  );

  test('can contain short mode names, which are read as media types', () => {
    const reading = good(cardV10(base, { defaultInputModes: ['text', 'text/plain', 'image/*'] }));
    expect(reading.card.inputModes).toEqual(['text/plain', 'image/*']);
    expect(rules(reading.warnings)).toEqual(['mode.media-type /defaultInputModes/0']);
  });

  test('has correct positions even if it begins with a byte order mark', () => {
    const reading = read(`\ufeff${JSON.stringify(cardV10(base, { version: 1 }))}`);
    const column = JSON.stringify(cardV10(base, { version: 1 })).indexOf('"version":1') + '"version":'.length + 2;
    expect(rules(reading.warnings)).toEqual(['json.byte-order-mark ', 'member.type /version']);
    expect(reading.warnings[1]).toMatchObject({ line: 1, column });
  });

  test('gets a warning if it sends calls to another origin', () => {
    const reading = good(cardV03(base, { url: 'https://elsewhere.example.com/a2a' }));
    expect(reading.warnings).toMatchObject([
      { rule: 'endpoint.other-origin', found: 'https://elsewhere.example.com', expected: base },
    ]);
  });
});

describe('a card that violates the specification', () => {
  test.each(flawedCards(base))('$title: is listed with the warning $rule at its exact position', (flawed) => {
    const { rule, pointer, line, column } = flawed;
    const reading = readCard(flawed.bytes, context);
    if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
    const reported = reading.warnings.find((warning) => warning.rule === rule && warning.pointer === pointer);
    expect(reported).toMatchObject({ line, column });
    expect(reported?.fix).toMatch(/\.$/);
    expect(reading.endpoints[0].url).toBe(`${base}/a2a`);
  });

  test('can contain texts up to the card’s byte limit', () => {
    const long = 'I plan trips. '.repeat(40_000).trim();
    const { card } = good(
      cardV03(base, { name: 'n'.repeat(500), description: long, skills: [{ id: 'a', name: 'A', description: long }] }),
    );
    expect([card.name.length, card.description, card.skills[0]?.description]).toEqual([500, long, long]);
  });

  test('is called in 0.3, then in 1.0, if it claims 1.0 in the 0.3 layout', () => {
    const { endpoints } = good(cardV03(base, { protocolVersion: '1.0.0' }));
    expect(endpoints.map(({ protocolVersion }) => protocolVersion)).toEqual(['0.3', '1.0']);
  });

  test.each([
    ['v1.0', '1.0'],
    ['1', '1.0'],
    ['1.0.0', '1.0'],
    ['1.1', '1.1'],
    ['1.1.0', '1.1'],
    ['1.2', '1.0'],
  ])('that declares %s in an interface is called in %s', (protocolVersion, called) => {
    const supportedInterfaces = [{ url: `${base}/a2a`, protocolBinding: 'JSONRPC', protocolVersion }];
    expect(good(cardV10(base, { supportedInterfaces })).endpoints[0].protocolVersion).toBe(called);
  });

  test.each([
    ['REST', 'HTTP+JSON'],
    ['HTTP_JSON', 'HTTP+JSON'],
    ['http+json', 'HTTP+JSON'],
    ['JSON-RPC 2.0', 'JSONRPC'],
    ['json_rpc', 'JSONRPC'],
  ])('with the binding %s is called over %s', (transport, binding) => {
    const card = cardV03(base, { preferredTransport: transport });
    expect(good(card).endpoints[0].binding).toBe(binding);
  });

  test('is also called at its 0.3 URL if its 1.0 interfaces are all gRPC', () => {
    const supportedInterfaces = [{ url: 'grpc.example.com:50051', protocolBinding: 'GRPC', protocolVersion: '1.0' }];
    const { endpoints } = good(cardV03(base, { supportedInterfaces }));
    expect(endpoints.map(({ url, protocolVersion }) => [url, protocolVersion])).toEqual([
      ['https://grpc.example.com:50051', '1.0'],
      [`${base}/a2a`, '0.3'],
    ]);
  });

  test.each([
    ['grpc.example.com:50051', 'https://grpc.example.com:50051'],
    ['grpc.example.com', 'https://grpc.example.com'],
    ['grpc.example.com:443', 'https://grpc.example.com'],
    ['dns:///grpc.example.com:8443', 'https://grpc.example.com:8443'],
    ['https://grpc.example.com/a2a/grpc', 'https://grpc.example.com'],
    ['grpcs://grpc.example.com:9443', 'https://grpc.example.com:9443'],
  ])('may write the address of gRPC as %s, without a warning', (address, url) => {
    const supportedInterfaces = [
      { url: address, protocolBinding: 'GRPC', protocolVersion: '1.0' },
      { url: `${base}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ];
    const reading = good(cardV10(base, { supportedInterfaces }));
    expect(reading.endpoints.map((endpoint) => endpoint.url)).toEqual([url, `${base}/a2a`]);
    expect(rules(reading.warnings).filter((rule) => !rule.startsWith('endpoint.other-origin'))).toEqual([]);
  });

  test.each([
    ['grpc://grpc.example.com:50051/x', ['http://grpc.example.com:50051']],
    ['[2001:db8::1]:50051', ['https://[2001:db8::1]:50051', 'http://[2001:db8::1]:50051']],
    ['not an address', null],
  ])('has the URLs of a gRPC address: %s', (address, urls) => {
    expect(grpcUrlsOf(address)).toEqual(urls);
  });

  test('with host:port is called without TLS only where the rules permit that', () => {
    const supportedInterfaces = [{ url: '127.0.0.1:50051', protocolBinding: 'GRPC', protocolVersion: '1.0' }];
    const permits = (permitted: string) =>
      readCard(Buffer.from(JSON.stringify(cardV10(base, { supportedInterfaces }))), {
        ...context,
        refusalOf: (url) => (url === permitted ? null : 'refused'),
      });
    const plain = permits('http://127.0.0.1:50051');
    expect(plain.ok && plain.endpoints[0].url).toBe('http://127.0.0.1:50051');
    const refused = permits('http://127.0.0.1:1');
    expect(refused.ok || refused.faults[0]).toMatchObject({ rule: 'endpoint.refused' });
  });
});

describe('an invalid card', () => {
  test.each(badCards(base))(
    'is rejected because of $title: $rule at its exact position',
    ({ bytes, rule, pointer, line, column }) => {
      const reading = readCard(bytes, context);
      if (reading.ok) throw new Error('the card was read');
      expect(reading.faults[0]).toMatchObject({ rule, pointer, line, column });
      expect(reading.faults).toHaveLength(1);
      for (const fault of reading.faults) {
        expect(fault.found).not.toBe('');
        expect(fault.expected).not.toBe('');
        expect(fault.fix).toMatch(/\.$/);
      }
    },
  );

  test('LIM-5, LIM-6: neither exhausts nor crashes the reader', () => {
    const bombs = [
      '['.repeat(500_000),
      `{"a":`.repeat(200_000),
      `[${'1,'.repeat(500_000)}1]`,
      `"${'\\u0041'.repeat(170_000)}"`,
      '\\'.repeat(1_000_000),
    ];
    for (const bomb of bombs) expect(read(bomb).ok).toBe(false);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test('with thousands of flaws leads to a report of the first fifty', () => {
    expect(good(cardV10(base, { skills: Array.from({ length: 400 }, () => 7) })).warnings).toHaveLength(50);
  });

  test('is rejected at the position of its URL if only a hub can reach the agent', () => {
    const reading = read({ name: 'Old', description: 'Old', url: 'ws-agent://openclaw-1', skills: [] });
    expect(reading.ok ? [] : rules(reading.faults)).toEqual(['endpoint.refused /url']);
  });

  test('that declares 0.3 and legacy authentication is read as 0.3', () => {
    const { endpoints } = good(cardV03(base, { authentication: { schemes: ['bearer'] } }));
    expect(endpoints.map(({ protocolVersion }) => protocolVersion)).toEqual(['0.3', '0.1']);
  });
});
