import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClientHost } from '../fakes/client-host';
import { startSdk03Agent } from '../fakes/sdk03-agent';
import { createPerson, listAgent } from '../support/fixtures';
import { createLoopbackCertificate } from '../support/loopback-certificate';
import { type Parley, startParley } from '../support/parley';
import { NativeHost, PersonsBrowser } from './browser-sign-in';

let parley: Parley;
let agent: { url: string; stop: () => Promise<void> };
let browser: PersonsBrowser;
let website: ClientHost;
let slug: string;
const folder = mkdtempSync(path.join(tmpdir(), 'parley-mcp-sign-in-'));

beforeAll(async () => {
  const ca = path.join(folder, 'ca.pem');
  website = await ClientHost.start(createLoopbackCertificate(ca));
  parley = await startParley({
    env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*,https://localhost:*', NODE_EXTRA_CA_CERTS: ca },
  });
  const person = await createPerson(parley.url);
  agent = await startSdk03Agent();
  slug = await listAgent(parley.url, person, { url: agent.url });
  browser = await PersonsBrowser.start(parley.url, person);
});

afterAll(async () => {
  await browser?.stop();
  await parley?.stop();
  await agent?.stop();
  await website?.stop();
  rmSync(folder, { recursive: true });
});

/** The common interface of both clients. */
interface Connected {
  callTool: (params: {
    name: string;
    arguments: Record<string, unknown>;
  }) => Promise<{ structuredContent?: Record<string, unknown> }>;
  close: () => Promise<void>;
}

/** Connects; a host that is not signed in signs in meanwhile, and the connection is refused. */
type Connect = (host: NativeHost) => Promise<Connected>;

const url = (): URL => new URL(`${parley.url}/mcp`);

const clients: [string, Connect, (host: NativeHost) => Promise<void>][] = [
  [
    '@modelcontextprotocol/sdk 1.32',
    async (host) => {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(url(), { authProvider: host }) as never);
      return client as never;
    },
    (host) =>
      new StreamableHTTPClientTransport(url(), { authProvider: host }).finishAuth(host.answer.get('code') ?? ''),
  ],
  [
    '@modelcontextprotocol/client 2.4',
    async (host) => {
      const client = new ModernClient(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      );
      await client.connect(new ModernTransport(url(), { authProvider: host }));
      return client as never;
    },
    (host) => new ModernTransport(url(), { authProvider: host }).finishAuth(host.answer),
  ],
];

describe.each(clients)('%s', (_name, connect, finish) => {
  test.each(['a metadata document', 'dynamic registration'])(
    'signs in through a browser by %s, calls a tool, and renews its token without asking again',
    async (way) => {
      const documentUrl = website.serve('/host.json', { redirect_uris: ['http://127.0.0.1/callback'] });
      const host = await NativeHost.start(browser, way === 'a metadata document' ? documentUrl : undefined);
      await expect(connect(host)).rejects.toThrow(/unauthorized/i);
      expect(host.answer.get('state')).toBe('state of the host');
      expect(host.answer.get('iss')).toBe(parley.url);
      await finish(host);
      const client = await connect(host);
      const found = await client.callTool({ name: 'search_agents', arguments: { query: 'echo' } });
      expect(JSON.stringify(found.structuredContent)).toContain(`:${slug}"`);
      const params = { name: 'send_message', arguments: { agent: slug, message: 'hello' } };
      expect((await client.callTool(params)).structuredContent).toMatchObject({ state: 'completed', text: 'hello' });

      const { refresh_token: earlier } = host.tokens() ?? {};
      host.expire();
      expect((await client.callTool(params)).structuredContent).toMatchObject({ state: 'completed', text: 'hello' });
      expect(host.tokens()?.refresh_token).not.toBe(earlier);
      expect(host.authorizations.map(({ searchParams }) => searchParams.get('resource'))).toEqual([url().href]);
      expect(host.registrations).toBe(way === 'a metadata document' ? 0 : 1);
      await client.close();
      await host.stop();
    },
  );
});
