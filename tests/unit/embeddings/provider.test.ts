import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ProviderEmbedder } from '@/lib/embeddings/provider/provider-embedder';
import { type ProviderSettings, providerSettings } from '@/lib/embeddings/provider/settings';
import { readEnv } from '@/lib/platform/runtime/env';
import { EmbeddingsProvider, type EmbeddingsRequest, sendJson } from '../../fakes/embeddings-provider';

process.env.LOG_LEVEL = 'debug';
const key = 'sk-hunter2-hunter2';
const query = 'a very private question';
let provider: EmbeddingsProvider;

beforeEach(async () => {
  provider = await EmbeddingsProvider.start();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await provider.stop();
});

function settings(extra: Record<string, string> = {}): ProviderSettings {
  const secrets = { NEXTAUTH_SECRET: 'x'.repeat(40), KEY_ENCRYPTION_KEY: 'x'.repeat(40) };
  const own = { EMBEDDINGS_URL: provider.url, EMBEDDINGS_KEY: key, EMBEDDINGS_MODEL: 'm3' };
  const found = providerSettings(readEnv({ DATABASE_URL: 'postgresql://a@h/d', ...secrets, ...own, ...extra }));
  if (!found) throw new Error('no provider');
  return found;
}

/** An embedder that has already created a vector, with its recorded requests cleared. */
async function connect(extra: Record<string, string> = {}): Promise<ProviderEmbedder> {
  const embedder = new ProviderEmbedder(settings(extra));
  await embedder.embedDocuments(['hello']);
  provider.requests.length = 0;
  return embedder;
}

function unit(numbers: number[]): number[] {
  const norm = Math.hypot(...numbers);
  return numbers.map((value) => value / norm);
}

function expectVector(vector: Float32Array | null | undefined, text: string): void {
  for (const [at, value] of unit(provider.vectorOf(text)).entries()) expect(vector?.[at]).toBeCloseTo(value, 5);
}

const texts = (count: number): string[] => Array.from({ length: count }, (_, at) => `text ${at}`);
type Sends = (request: EmbeddingsRequest, response: ServerResponse) => void;
const status =
  (code: number, { body = {}, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {}): Sends =>
  (_request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    sendJson(response, code, body);
  };
/** Changes the answer of the well-behaved provider. */
const changed =
  (change: (data: { index?: unknown; embedding: unknown }[]) => unknown): Sends =>
  ({ body }, response) => {
    const data = body.input.map((text, index) => ({ index, embedding: provider.vectorOf(text) }));
    sendJson(response, 200, { data: change(data) });
  };

describe('a request to the provider', () => {
  test('goes to /embeddings with model, key, float format and prefix, and returns normalized vectors', async () => {
    const embedder = await connect({ EMBEDDINGS_QUERY_PREFIX: 'query: ', EMBEDDINGS_DOCUMENT_PREFIX: 'passage: ' });
    expectVector(await embedder.embedQuery('taxes'), 'query: taxes');
    expectVector((await embedder.embedDocuments(['taxes']))[0], 'passage: taxes');
    expect(provider.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: `Bearer ${key}` },
      body: { model: 'm3', input: ['query: taxes'], encoding_format: 'float' },
    });
    expect(provider.requests[0]?.body).not.toHaveProperty('dimensions');
  });

  test('keeps the URL’s query parameters, and works without a key', async () => {
    const embedder = await connect({ EMBEDDINGS_URL: `${provider.url}/?api-version=3`, EMBEDDINGS_KEY: '' });
    await embedder.embedQuery('taxes');
    expect(provider.requests[0]?.path).toBe('/v1/embeddings?api-version=3');
    expect(provider.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('has dimensions only if they are set, and rejects a provider that ignores them', async () => {
    const embedder = await connect({ EMBEDDINGS_DIMENSIONS: '16' });
    expect(await embedder.embedQuery('taxes')).toHaveLength(16);
    expect(provider.requests[0]?.body.dimensions).toBe(16);
    provider.always = changed((data) => data);
    await expect(connect({ EMBEDDINGS_DIMENSIONS: '16' })).rejects.toMatchObject({
      reason: 'invalid_response',
      message: expect.stringContaining('8 numbers instead of 16'),
    });
  });

  test('is retried without encoding_format if a 400 names it, and later requests omit it', async () => {
    provider.always = ({ body }, response) =>
      body.encoding_format === undefined || sendJson(response, 400, { error: 'unknown parameter: encoding_format' });
    const embedder = await connect();
    expectVector(await embedder.embedQuery('taxes'), 'taxes');
    expect(provider.requests.map(({ body }) => body.encoding_format)).toEqual([undefined]);
  });
});

test('a model’s name changes with the vector length and the prefixes', () => {
  const name = (extra = {}) => new ProviderEmbedder(settings(extra)).name;
  expect(name()).toBe('m3/r1');
  expect(name({ EMBEDDINGS_DIMENSIONS: '16' })).toBe('m3-16/r1');
  const others = [
    name({ EMBEDDINGS_MODEL: 'm4' }),
    name({ EMBEDDINGS_QUERY_PREFIX: 'query: ' }),
    name({ EMBEDDINGS_DOCUMENT_PREFIX: 'query: ' }),
  ];
  expect(new Set(['m3/r1', ...others]).size).toBe(4);
  expect(name({ EMBEDDINGS_BATCH: '3', EMBEDDINGS_KEY: 'another' })).toBe('m3/r1');
});

describe('the provider client rejects a response', () => {
  const cases: [string, Sends][] = [
    ['with fewer vectors', changed((data) => data.slice(1))],
    ['with more vectors', changed((data) => [...data, ...data])],
    ['with a duplicate index', changed((data) => data.map((item) => ({ ...item, index: 0 })))],
    ['with an index out of range', changed((data) => data.map((item) => ({ ...item, index: 7 })))],
    ['with an index that is text', changed((data) => data.map((item) => ({ ...item, index: 'x' })))],
    ['with base64', changed((data) => data.map((item) => ({ ...item, embedding: 'AAAAAAAAgD8=' })))],
    [
      'with null in a vector',
      changed((data) => data.map((item) => ({ ...item, embedding: [1, null, 1, 1, 1, 1, 1, 1] }))),
    ],
    ['with a shorter vector', changed((data) => data.map((item) => ({ ...item, embedding: [1, 2] })))],
    [
      'with different lengths',
      changed(([first, ...rest]) => [first, ...rest.map((item) => ({ ...item, embedding: [1] }))]),
    ],
    ['with zeros', changed((data) => data.map((item) => ({ ...item, embedding: [0, 0, 0, 0, 0, 0, 0, 0] })))],
    ['with an empty vector', changed((data) => data.map((item) => ({ ...item, embedding: [] })))],
    ['without vectors', changed((data) => data.map(({ index }) => ({ index })))],
    ['that is not a list', changed(() => ({ length: 2 }))],
    ['in another format', (_request, response) => sendJson(response, 200, { embeddings: [[1, 2]] })],
    ['that is not JSON', (_request, response) => void response.end('<html>')],
    [
      'with numbers out of range',
      (_request, response) =>
        void response.end(
          '{"data":[{"index":0,"embedding":[1e999,1,1,1,1,1,1,1]},{"index":1,"embedding":[1,1,1,1,1,1,1,1]}]}',
        ),
    ],
  ];

  test.each(cases)('%s', async (_case, misbehavior) => {
    const embedder = await connect();
    provider.next.push(misbehavior);
    await expect(embedder.embedDocuments(texts(2))).rejects.toMatchObject({ reason: 'invalid_response' });
    expect(provider.requests.length).toBe(1);
  });

  test('that is endless', async () => {
    const embedder = await connect();
    provider.next.push((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('[1,2,3,4,'.repeat(50_000)));
      };
      response.on('drain', more);
      more();
    });
    await expect(embedder.embedDocuments(texts(1))).rejects.toMatchObject({ reason: 'invalid_response' });
  });

  test('that redirects, so that the key is not sent elsewhere', async () => {
    const embedder = await connect();
    provider.next.push(status(307, { headers: { location: `${provider.url}/elsewhere` } }));
    await expect(embedder.embedQuery('taxes')).rejects.toMatchObject({ reason: 'unavailable' });
    expect(provider.requests.length).toBe(1);
  });
});

test('vectors from a provider are sorted by their texts, whatever the order in the response', async () => {
  const embedder = await connect();
  provider.next.push(changed((data) => data.toReversed()));
  const vectors = await embedder.embedDocuments(texts(3));
  for (const [at, text] of texts(3).entries()) expectVector(vectors[at], text);
  provider.next.push(changed((data) => data.map(({ embedding }) => ({ embedding }))));
  expectVector((await embedder.embedDocuments(texts(3)))[2], 'text 2');
});

describe('document indexing', () => {
  test('sends ten documents at a time', async () => {
    const embedder = await connect();
    const vectors = await embedder.embedDocuments(texts(23));
    expect(provider.inputs.map((input) => input.length)).toEqual([10, 10, 3]);
    expectVector(vectors[22], 'text 22');
  });

  test.each([400, 413, 500])('halves a batch after %s and keeps the size that succeeds', async (code) => {
    provider.always = ({ body }, response) => body.input.length <= 3 || sendJson(response, code, { error: 'too many' });
    const embedder = await connect();
    const vectors = await embedder.embedDocuments(texts(10));
    for (const [at, text] of texts(10).entries()) expectVector(vectors[at], text);
    provider.requests.length = 0;
    await embedder.embedDocuments(texts(7));
    expect(provider.inputs.map((input) => input.length)).toEqual([3, 3, 1]);
  });

  test('shortens single documents that are too long, and keeps the batch size for the others', async () => {
    provider.always = ({ body }, response) =>
      body.input.every((text) => text.length <= 600) || sendJson(response, 413, { error: 'too long' });
    const embedder = await connect();
    const vectors = await embedder.embedDocuments([...texts(9), 'x'.repeat(2_000)]);
    expect(vectors.length).toBe(10);
    expectVector(vectors[9], 'x'.repeat(500));
    provider.requests.length = 0;
    await embedder.embedDocuments(texts(10));
    expect(provider.requests.length).toBe(1);
  });

  test('fails after a few requests if no retry succeeds', async () => {
    const embedder = await connect();
    provider.always = status(400);
    await expect(embedder.embedDocuments(['x'.repeat(2_000), ...texts(9)])).rejects.toMatchObject({
      reason: 'unavailable',
    });
    expect(provider.requests.length).toBeLessThan(12);
  });

  test.each([
    ['seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 2_000).toUTCString()],
  ])('waits as long as a 429’s Retry-After states, in %s', async (_form, retryAfter) => {
    const embedder = await connect();
    provider.next.push(status(429, { headers: { 'retry-after': retryAfter() } }));
    expectVector((await embedder.embedDocuments(texts(1)))[0], 'text 0');
    const [first, second] = provider.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(900);
  });

  test('fails immediately during a long pause, without a request', async () => {
    const embedder = await connect();
    provider.next.push(status(429, { headers: { 'retry-after': '600' } }));
    for (let times = 0; times < 2; times++) {
      await expect(embedder.embedDocuments(texts(1))).rejects.toMatchObject({ reason: 'overloaded' });
    }
    expect(provider.requests.length).toBe(1);
    expectVector(await embedder.embedQuery('taxes'), 'taxes');
  });
});

describe('an embedding query', () => {
  test('times out after 800 ms, including the body, and is not retried', async () => {
    const embedder = await connect();
    provider.next.push(() => undefined);
    provider.next.push((_request, response) => void response.writeHead(200).write('{"data":'));
    for (const text of ['one', 'two']) {
      const startedAt = performance.now();
      await expect(embedder.embedQuery(text)).rejects.toMatchObject({ reason: 'timeout' });
      expect(performance.now() - startedAt).toBeGreaterThan(700);
      expect(performance.now() - startedAt).toBeLessThan(1_600);
    }
    expect(provider.requests.length).toBe(2);
  });

  test.each([
    [429, 'overloaded'],
    [500, 'unavailable'],
    [401, 'unavailable'],
    [404, 'unavailable'],
  ])('fails immediately on %s with the reason %s, whatever the Retry-After', async (code, reason) => {
    const embedder = await connect();
    provider.next.push(status(code, { headers: { 'retry-after': '1' } }));
    const startedAt = performance.now();
    await expect(embedder.embedQuery('taxes')).rejects.toMatchObject({ reason });
    expect(performance.now() - startedAt).toBeLessThan(700);
    expect(provider.requests.length).toBe(1);
  });

  test('is cached after a response, but not after a failure', async () => {
    const embedder = await connect();
    provider.next.push(status(500));
    await expect(embedder.embedQuery('taxes')).rejects.toThrow();
    await Promise.all([embedder.embedQuery('taxes'), embedder.embedQuery('taxes')]);
    await embedder.embedQuery('taxes');
    expect(provider.requests.length).toBe(2);
  });

  test('is not sent for five seconds after five failures, and is sent again afterwards', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const embedder = await connect();
      provider.always = status(503);
      for (const text of texts(8)) {
        await expect(embedder.embedQuery(text)).rejects.toMatchObject({ reason: 'unavailable' });
      }
      expect(provider.requests.length).toBe(5);
      vi.setSystemTime(Date.now() + 5_001);
      provider.always = undefined;
      await embedder.embedQuery('taxes');
      await embedder.embedQuery('more taxes');
      expect(provider.requests.length).toBe(7);
    } finally {
      vi.useRealTimers();
    }
  });

  test('does not block other queries if the provider rejects it', async () => {
    const embedder = await connect();
    for (let times = 0; times < 6; times++) provider.next.push(status(400));
    for (const text of texts(6)) await expect(embedder.embedQuery(text)).rejects.toThrow();
    expectVector(await embedder.embedQuery('taxes'), 'taxes');
  });
});

test('embedding errors and log lines contain neither query nor key, even if the provider repeats them', async () => {
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  const embedder = await connect();
  const body = { error: `${query} ${key}`, data: [{ index: 0, embedding: `${query} ${key}` }] };
  provider.next.push(status(500, { body }), status(200, { body }), status(429, { body }));
  provider.next.push(status(302, { body, headers: { location: `/${key}` } }));
  provider.next.push((_request, response) => void response.destroy());
  const errors: unknown[] = [];
  for (let times = 0; times < 8; times++) await embedder.embedQuery(query).catch((error) => errors.push(error));
  expect(errors.length).toBeGreaterThan(5);
  for (const error of errors) {
    const { name, message, stack, cause } = error as Error;
    expect(`${name} ${message} ${stack} ${cause} ${JSON.stringify(error)}`).not.toMatch(/private question|hunter2/);
  }
  expect(lines.join('')).toContain('embeddings.provider_paused');
  expect(lines.join('')).not.toMatch(/private question|hunter2/);
});

test('an embedding request to an address that nothing listens on fails immediately', async () => {
  const embedder = await connect();
  await provider.stop();
  await expect(embedder.embedQuery('taxes')).rejects.toMatchObject({ reason: 'unavailable' });
  provider = await EmbeddingsProvider.start();
});
