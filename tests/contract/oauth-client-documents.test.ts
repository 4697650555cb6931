import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClientHost } from '../fakes/client-host';
import { createPerson, type Person, send } from '../support/fixtures';
import { createLoopbackCertificate } from '../support/loopback-certificate';
import { type Parley, startParley } from '../support/parley';
import { allowHost, connectHost } from './oauth-fixture';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-client-documents-'));
let parley: Parley;
let host: ClientHost;
let ada: Person;

beforeAll(async () => {
  const ca = path.join(folder, 'ca.pem');
  host = await ClientHost.start(createLoopbackCertificate(ca));
  parley = await startParley({ env: { AGENT_URL_ALLOW: host.origin, NODE_EXTRA_CA_CERTS: ca } });
  ada = await createPerson(parley.url, 'Ada');
});

afterAll(async () => {
  await parley?.stop();
  await host?.stop();
  rmSync(folder, { recursive: true });
});

test('a client with a metadata document over TLS receives tokens, and its document is cached while fresh', async () => {
  const clientId = host.serve('/client.json');
  const tokens = await connectHost(parley.url, ada, { clientId, resource: `${parley.url}/v1` });
  expect((await send(`${parley.url}/v1/models`, { bearer: tokens.access_token })).status).toBe(200);
  await connectHost(parley.url, ada, { clientId });
  expect(host.requests).toEqual(['/client.json']);
});

test('LOOK-1 a document at a look-alike of the client’s URL is rejected', async () => {
  const clientId = host.serve('/bank.json');
  for (const alike of [
    clientId.replace('bank', '%62ank'),
    `${clientId}?`,
    clientId.replace('localhost', 'LOCALHOST'),
  ]) {
    await expect(allowHost(parley.url, ada, { clientId: alike })).rejects.toThrow(/^400 /);
  }
});

test('SSRF-7 Parley rejects its own URL as a client', async () => {
  const clientId = `${parley.url}/openapi.json`;
  await expect(allowHost(parley.url, ada, { clientId })).rejects.toThrow(/^400 /);
});
