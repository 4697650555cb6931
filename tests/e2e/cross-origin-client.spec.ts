import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { tokenFor } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { newAccount } from './people';

/** Runs in the page: the official SDK as a browser client uses it, with a token and a base URL. */
const program = `
import { SendMessageRequest } from '@a2a-js/sdk';
import {
  ClientFactory, ClientFactoryOptions, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory,
} from '@a2a-js/sdk/client';

const messageOf = (text) => SendMessageRequest.fromJSON({
  message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] },
});

globalThis.talk = async ({ baseUrl, token, binding }) => {
  const fetchImpl = (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', 'Bearer ' + token);
    headers.set('a2a-extensions', 'https://example.com/x');
    return fetch(url, { ...init, headers });
  };
  const transports = [binding === 'HTTP+JSON' ? new RestTransportFactory({ fetchImpl }) : new JsonRpcTransportFactory({ fetchImpl })];
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports, preferredTransports: [binding], cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  const client = await new ClientFactory(options).createFromUrl(baseUrl);
  const sent = await client.sendMessage(messageOf('hello'));
  const kinds = [];
  for await (const event of client.sendMessageStream(messageOf('hello again'))) kinds.push(event.payload?.$case);
  return { sent: JSON.stringify(sent), kinds };
};

globalThis.refused = async ({ url }) => {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  const challenge = response.headers.get('www-authenticate') ?? '';
  const metadata = await (await fetch(/resource_metadata="([^"]+)"/.exec(challenge)[1])).json();
  return { status: response.status, resource: metadata.resource, error: (await response.json()).error.code };
};

globalThis.readAsOwner = async ({ url }) => {
  try { return (await fetch(url, { credentials: 'include' })).status; } catch { return 'blocked'; }
};
`;

let server: Server;
let origin: string;

test.beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: process.cwd() },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
  });
  const script = outputFiles[0]?.text ?? '';
  server = createServer((request, response) => {
    const isScript = request.url === '/client.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(
      isScript ? script : '<!doctype html><title>Elsewhere</title><script type="module" src="/client.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

test.afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});

type Program = Record<'talk' | 'refused' | 'readAsOwner', (input: object) => Promise<Record<string, unknown>>>;

test('SDK 1.3.0 in a page from another origin calls an agent over JSON-RPC and HTTP+JSON', async ({ page }) => {
  const url = setting('parleyUrl');
  const token = await tokenFor(url, await newAccount('Ada'), 'conformance');
  // The page is not Parley's: no React starts in it.
  await page.goto(origin, { waitUntil: 'load' });
  await page.waitForFunction('globalThis.talk !== undefined');
  for (const binding of ['JSONRPC', 'HTTP+JSON']) {
    const input = { baseUrl: `${url}/agents/conformance/`, token, binding };
    const { sent, kinds } = await page.evaluate(
      (given) => (globalThis as typeof globalThis & Program).talk(given),
      input,
    );
    expect(sent).toContain('"status"');
    expect((kinds as string[]).length).toBeGreaterThan(0);
  }
});

test.describe('a page from another origin', () => {
  test.use({ expectedErrors: [/401 \(Unauthorized\)|blocked by CORS policy|net::ERR_FAILED/] });

  test('can read the reason for a rejection, and gains no access with the cookie', async ({ page }) => {
    const url = setting('parleyUrl');
    const called = `${url}/agents/conformance/a2a/jsonrpc`;
    const ada = await newAccount('Ada');
    const [name = '', value = ''] = ada.cookie.split('=');
    await page.context().addCookies([{ name, value, url }]);
    await page.goto(origin, { waitUntil: 'load' });
    await page.waitForFunction('globalThis.refused !== undefined');
    const refused = await page.evaluate((given) => (globalThis as typeof globalThis & Program).refused(given), {
      url: called,
    });
    expect(refused).toEqual({ status: 401, resource: called, error: -32600 });
    for (const path of ['/api/auth/sessions', '/agents/conformance/.well-known/agent-card.json']) {
      const input = { url: url + path };
      expect(
        await page.evaluate((given) => (globalThis as typeof globalThis & Program).readAsOwner(given), input),
      ).toBe('blocked');
    }
  });
});
