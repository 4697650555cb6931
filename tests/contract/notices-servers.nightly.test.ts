import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProxy } from '../../bench/drills/lib/tcp-proxy.mjs';
import { countOn } from '../fakes/counting-script';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createTestDatabase } from '../support/database';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  type Person,
  post,
  readEvents,
  resultOf,
  type WireEvent,
} from '../support/fixtures';
import { createLoopbackCertificate } from '../support/loopback-certificate';
import { createNatsAccounts } from '../support/nats-accounts';
import { type NatsServer, natsMissing, startNats } from '../support/nats-server';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-notices-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function carrierOf({ url }: Parley): Promise<unknown> {
  const response = await fetch(`${url}/readyz`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { notices?: { over: string } }).notices?.over;
}

function untilCarriedBy(carrier: string, ...nodes: Parley[]): Promise<unknown> {
  return Promise.all(
    nodes.map((node) => waitFor(async () => (await carrierOf(node)) === carrier, { what: carrier, timeout: 30_000 })),
  );
}

/** The last reason that a node has logged for not using NATS. */
function reasonOf(node: Parley): string | null {
  const lines = node
    .output()
    .split('\n')
    .filter((line) => line.includes('notices.nats_unavailable'));
  return lines.length > 0 ? (JSON.parse(lines.at(-1) ?? '') as { reason: string }).reason : null;
}

describe.skipIf(natsMissing)('NATS over TLS', () => {
  let nats: NatsServer;
  let caFile: string;

  beforeAll(async () => {
    caFile = path.join(folder, 'ca.pem');
    const { key, cert } = createLoopbackCertificate(caFile);
    const [keyFile, certFile] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    writeFileSync(keyFile, key);
    writeFileSync(certFile, cert);
    nats = await startNats(`tls { cert_file: "${certFile}", key_file: "${keyFile}" }`);
  });
  afterAll(() => nats?.stop());

  const startWith = (env: Record<string, string>): Promise<Parley> =>
    startParley({ env: { LOG_LEVEL: 'info', NOTICES_URL: `tls://localhost:${nats.port}`, ...env } });

  test('is used by a node that has the authority’s certificate', async () => {
    const node = await startWith({ NODE_EXTRA_CA_CERTS: caFile });
    await untilCarriedBy('nats', node);
    await node.stop();
  });

  test('is replaced by PostgreSQL on a node that does not trust the server, and the reason is reported', async () => {
    const node = await startWith({});
    await waitFor(() => reasonOf(node) !== null, { what: 'the reason' });
    expect(reasonOf(node)).toMatch(/certificate/);
    expect(await carrierOf(node)).toBe('postgresql');
    expect(await nats.clients()).toEqual([]);
    await node.stop();
  });
});

describe.skipIf(natsMissing)('NATS with a credentials file', () => {
  const accounts = createNatsAccounts();
  let nats: NatsServer;
  let node: Parley;
  let file: string;

  beforeAll(async () => {
    file = path.join(folder, 'nats.creds');
    nats = await startNats(accounts.config);
    node = await startParley({ env: { LOG_LEVEL: 'info', NOTICES_URL: nats.url, NOTICES_CREDENTIALS: file } });
  });
  afterAll(async () => {
    await node?.stop();
    await nats?.stop();
  });

  test('is used as soon as the file exists, and until then is reported as missing', async () => {
    await waitFor(() => reasonOf(node) !== null, { what: 'the reason' });
    expect(reasonOf(node)).toContain(`no such file or directory, open '${file}'`);
    expect(await carrierOf(node)).toBe('postgresql');
    const credentials = accounts.credentials();
    writeFileSync(file, credentials);
    await untilCarriedBy('nats', node);
    expect(node.output()).not.toContain(/SEED-----\n(\S+)/.exec(credentials)?.[1]);
  });

  test.each(['pub', 'sub'])(
    'reports a missing permission (%s) once by its subject, and falls back to PostgreSQL',
    async (kind) => {
      writeFileSync(file, accounts.credentials({ [kind]: { deny: ['parley.>'] } }));
      const before = node.output().length;
      await nats.restart();
      const reason = (): string => node.output().slice(before);
      await waitFor(() => /permission/i.test(reason()), { what: 'the reason', timeout: 30_000 });
      expect(reasonOf(node)).toMatch(
        new RegExp(`permissions violation for ${kind === 'pub' ? 'publish' : 'subscription'} to "parley\\.`, 'i'),
      );
      expect(await carrierOf(node)).toBe('postgresql');
      writeFileSync(file, accounts.credentials());
      await untilCarriedBy('nats', node);
    },
  );
});

const pieces = Array.from({ length: 100 }, (_, at) => `${at};`);
let tasks = 0;

/** Runs a task on one node and reads it on another; fails unless each event arrives once. */
async function runAcross(agent: ScriptedAgent, connection: Connection, [own, other]: [Parley, Parley]): Promise<void> {
  countOn(agent, { taskId: `across-${tasks++}`, pieces, pauseMs: 5 });
  const at = (node: Parley): Connection => ({ ...connection, url: connection.url.replace(/^http:..[^/]+/, node.url) });
  const call = { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('count') };
  let id = '';
  await readEvents(await post(at(own), call), (events) => {
    id = resultOf<{ id: string }>(events[0]).id;
    return true;
  });
  let seen: WireEvent[] = [];
  const again = { jsonrpc: '2.0', id: 2, method: 'tasks/resubscribe', params: { id } };
  await readEvents(await post(at(other), again), (events) => {
    seen = events;
    return false;
  });
  const ids = seen.map((event) => Number(event.id));
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => (ids[0] ?? 0) + index));
  expect(resultOf<{ status: { state: string } }>(seen.at(-1)).status.state).toBe('completed');
}

describe.skipIf(natsMissing)('two Parley installations that share a NATS server', () => {
  let nats: NatsServer;
  let agent: ScriptedAgent;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let one: Parley;
  let two: Parley;
  let stranger: Parley;
  let own: Connection;
  let ofStranger: Connection;

  const env = (port: number): Record<string, string> => ({
    AGENT_URL_ALLOW: 'http://127.0.0.1:*',
    LOG_LEVEL: 'info',
    NOTICES_URL: `nats://127.0.0.1:${port}`,
  });

  beforeAll(async () => {
    nats = await startNats();
    agent = await ScriptedAgent.start({ name: 'Counter' });
    proxy = await startProxy();
    proxy.moveTo(nats.port);
    const { url: databaseUrl } = await createTestDatabase();
    one = await startParley({ env: env(nats.port) });
    two = await startParley({ env: { ...env(proxy.port), APP_URL: one.url } });
    stranger = await startParley({ env: env(nats.port), databaseUrl });
    await untilCarriedBy('nats', one, two, stranger);
    own = await connect(one, await createPerson(one.url));
    ofStranger = await connect(stranger, await createPersonIn(databaseUrl, stranger.url));
  });
  afterAll(async () => {
    for (const node of [one, two, stranger]) await node?.stop();
    await agent?.stop();
    proxy?.stop();
    await nats?.stop();
  });

  async function connect({ url }: Parley, person: Person): Promise<Connection> {
    return connectTo(url, person, await listAgent(url, person, { url: agent.url }));
  }

  async function createPersonIn(connectionString: string, url: string): Promise<Person> {
    const client = new Client({ connectionString });
    await client.connect();
    try {
      return await createPerson(url, 'Ada', async (_name, text, values) => (await client.query(text, values)).rows);
    } finally {
      await client.end();
    }
  }

  test('never deliver notifications to each other’s nodes', async () => {
    await runAcross(agent, own, [one, two]);
    await runAcross(agent, ofStranger, [stranger, stranger]);
    const prefixes = (await nats.subscriptions()).map((subjects) => [
      ...new Set(subjects.map((subject) => subject.split('.')[1] ?? '')),
    ]);
    expect(prefixes.map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(new Set(prefixes.flat()).size).toBe(2);
  });

  test('keep both nodes’ tasks readable while one node is disconnected, and the other installation uses NATS', async () => {
    proxy.cut();
    await untilCarriedBy('postgresql', one, two);
    await runAcross(agent, own, [one, two]);
    await runAcross(agent, own, [two, one]);
    expect(await carrierOf(stranger)).toBe('nats');
    proxy.restore();
    await untilCarriedBy('nats', one, two);
    await runAcross(agent, own, [two, one]);
  });
});
