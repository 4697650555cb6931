import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Parley, startParley } from '../support/parley';

let parley: Parley;

beforeAll(async () => {
  parley = await startParley();
});

afterAll(async () => {
  await parley?.stop();
});

interface Got {
  status: number;
  headers: Record<string, unknown>;
  bytes: Buffer;
}

/** The raw response: `fetch` would undo the encoding. */
function get(path: string, { accepts = 'identity', method = 'GET' } = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = request(`${parley.url}${path}`, { method, headers: { 'accept-encoding': accepts } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    asked.on('error', reject).end();
  });
}

/** Without parts that are new in each response. */
function settled(html: Buffer): string {
  return html.toString('utf8').replaceAll(/nonce[^ ,>]*|"[\w-]{16,}"|\$D[\d\-T:.Z]+/g, '');
}

test.each(['/', '/agents', '/docs'])(
  '%s is sent in the browser’s preferred encoding, with the same content in each encoding',
  async (path) => {
    const plain = await get(path);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const gzip = await get(path, { accepts: 'gzip, deflate' });
    expect([gzip.headers['content-encoding'], gzip.headers.vary]).toEqual([
      'gzip',
      expect.stringMatching(/accept-encoding/i),
    ]);
    expect(settled(gunzipSync(gzip.bytes))).toBe(settled(plain.bytes));
    const brotli = await get(path, { accepts: 'gzip, deflate, br, zstd' });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(settled(brotliDecompressSync(brotli.bytes))).toBe(settled(plain.bytes));
    expect(brotli.bytes.length).toBeLessThan(plain.bytes.length / 3);
  },
);

test.each(['/', '/agents', '/docs'])('HEAD %s has no body but the same headers as GET', async (path) => {
  const head = await get(path, { method: 'HEAD' });
  const { status, headers } = await get(path);
  expect([head.status, head.headers['content-type'], head.bytes.length]).toEqual([status, headers['content-type'], 0]);
});

test('a page whose reader disconnects early does not affect other pages', async () => {
  const leaving = Array.from(
    { length: 30 },
    () =>
      new Promise<void>((resolve, reject) => {
        const asked = request(`${parley.url}/agents`, { headers: { 'accept-encoding': 'br' } }, (response) => {
          response.once('data', () => response.destroy());
          response.once('close', resolve);
        });
        asked.once('error', reject).end();
      }),
  );
  await Promise.all(leaving);
  expect((await get('/agents', { accepts: 'br' })).status).toBe(200);
  expect(parley.output()).not.toMatch(/"level":"(?:error|fatal)"|Unhandled|ERR_STREAM/);
});

test('an icon is served under each default name that browsers request', async () => {
  const icons = [
    ['/icon.svg', 'image/svg+xml', '<svg'],
    ['/favicon.ico', 'image/x-icon', '\0\0\x01\0'],
    ['/apple-touch-icon.png', 'image/png', '\x89PNG'],
  ] as const;
  for (const [path, type, begin] of icons) {
    const { status, headers, bytes } = await get(path);
    expect([path, status, headers['content-type']]).toEqual([path, 200, type]);
    expect(bytes.toString('latin1').startsWith(begin)).toBe(true);
  }
});
