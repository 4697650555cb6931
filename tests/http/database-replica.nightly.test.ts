import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { basic, createApp, postForm } from '../contract/tokens-fixture';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { connectTo, createPerson, listAgent, message03, type Person, rpc, send, tokenFor } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { type Parley, startParley } from '../support/parley';
import { pauseReplay, writeThenReadPairs } from '../support/replica-reads';
import { queryAt, type ReplicatedDatabase, startReplicatedDatabase } from '../support/replicated-database';
import { waitFor } from '../support/wait-for';

let database: ReplicatedDatabase;
let agent: ScriptedAgent;
let one: Parley;
let two: Parley;
let metricsOf: Map<Parley, string>;
let ada: Person;
let slug: string;
let collection: string;

beforeAll(async () => {
  database = await startReplicatedDatabase();
  agent = await ScriptedAgent.start({ name: 'Echo' });
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*', DATABASE_REPLICA_URL: database.standby.url };
  const ports = [await freePort(), await freePort()] as const;
  const databaseUrl = database.primary.url;
  one = await startParley({ databaseUrl, env: { ...env, METRICS_PORT: `${ports[0]}` } });
  two = await startParley({ databaseUrl, env: { ...env, METRICS_PORT: `${ports[1]}`, APP_URL: one.url } });
  metricsOf = new Map([
    [one, `http://127.0.0.1:${ports[0]}/metrics`],
    [two, `http://127.0.0.1:${ports[1]}/metrics`],
  ]);
  ada = await person('Ada');
  slug = await listAgent(one.url, ada, { url: agent.url, visibility: 'public' });
  const created = await send(`${one.url}/api/collections`, {
    body: { title: 'Before', visibility: 'public' },
    bearer: ada.accessToken,
  });
  collection = ((await created.json()) as { id: string }).id;
  await usable();
}, 120_000);

afterAll(async () => {
  await one?.stop();
  await two?.stop();
  await agent?.stop();
  database?.stop();
});

const resumeReplay = (): Promise<unknown> => queryAt(database.standby.url, 'SELECT pg_wal_replay_resume()');

const person = (name: string): Promise<Person> =>
  createPerson(one.url, name, (_, text, values) => queryAt(database.primary.url, text, values));

interface Replica {
  state: string;
  lagSeconds: number | null;
}

async function replicasOf(node: Parley): Promise<Replica[]> {
  const response = await fetch(`${node.url}/readyz`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { replicas: Replica[] }).replicas;
}

const inState = (state: string): Promise<unknown> =>
  waitFor(
    async () => {
      const found = [...(await replicasOf(one)), ...(await replicasOf(two))];
      return found.every((replica) => replica.state === state);
    },
    { timeout: 20_000, what: `the replica to be ${state}` },
  );
const usable = (): Promise<unknown> => inState('usable');

async function reads(node: Parley): Promise<Record<string, number>> {
  const text = await (await fetch(metricsOf.get(node) ?? '')).text();
  const found = text.matchAll(/^db_reads\{[^}]*target="(\w+)"[^}]*\} (\d+)/gm);
  return Object.fromEntries([...found].map(([, target, count]) => [target, Number(count)]));
}

/** The statements that `work` causes on a node and a replica may answer, by the server that answered. */
async function readsOf(node: Parley, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await reads(node);
  await work();
  const after = await reads(node);
  return Object.fromEntries(Object.entries(after).map(([target, count]) => [target, count - (before[target] ?? 0)]));
}

/** Waits until the replica answers a user, because it may lack the latest write for a moment. */
async function answersTo(node: Parley, work: () => Promise<unknown>): Promise<void> {
  const isAnswered = async (): Promise<boolean> => {
    const found = await readsOf(node, work);
    expect(found.repeated).toBe(0);
    return (found.replica ?? 0) > 0;
  };
  await waitFor(isAnswered, { what: 'the replica to answer a user' });
}

async function readsOfBoth(work: () => Promise<unknown>): Promise<[Record<string, number>, Record<string, number>]> {
  let first: Record<string, number> = {};
  const second = await readsOf(two, async () => {
    first = await readsOf(one, work);
  });
  return [first, second];
}

async function titleAt(node: Parley, reader?: Person): Promise<string> {
  const response = await send(`${node.url}/api/collections/${collection}`, { bearer: reader?.accessToken });
  expect(response.status).toBe(200);
  return ((await response.json()) as { title: string }).title;
}

async function rename(node: Parley, title: string): Promise<void> {
  const path = `${node.url}/api/collections/${collection}`;
  const response = await send(path, { method: 'PATCH', body: { title }, bearer: ada.accessToken });
  expect(response.status).toBe(200);
}

/** The replica has every write that was acknowledged before. */
const caughtUp = (): Promise<unknown> =>
  waitFor(
    async () => {
      const [primary] = await queryAt<{ lsn: string }>(database.primary.url, 'SELECT pg_current_wal_lsn() AS lsn');
      const text = `SELECT pg_last_wal_replay_lsn() >= '${primary?.lsn}' AS has`;
      return (await queryAt<{ has: boolean }>(database.standby.url, text))[0]?.has;
    },
    { what: 'the replica to catch up' },
  );

/** The node may have what they show in memory. */
const cached = new Set(['/api/agents/:slug', '/api/agents/:slug/cards', '/status']);

describe('a replica', () => {
  it.each([
    '/api/agents',
    '/api/agents?q=echo',
    '/api/agents/:slug',
    '/api/agents/:slug/standing',
    '/api/agents/:slug/reviews',
    '/api/agents/:slug/cards',
    '/api/collections',
    '/api/collections/:collection',
    '/api/ard/agents',
    '/.well-known/ard.json',
    '/v0.1/servers',
    '/api/status',
    '/sitemap.xml',
    '/sitemaps/1',
    '/feed.xml',
    '/llms.txt',
    '/agents/:slug.md',
    '/agents/:slug/badge.svg',
    '/',
    '/agents',
    '/agents/:slug',
    '/collections',
    '/collections/:collection',
    '/compare?agents=:slug',
    '/status',
  ])('answers %s to anyone', async (path) => {
    await caughtUp();
    const url = `${one.url}${path.replace(':slug', slug).replace(':collection', collection)}`;
    const found = await readsOf(one, async () => {
      const response = await fetch(url, { headers: { accept: 'text/html, */*' } });
      await response.text();
      expect(response.status).toBe(200);
    });
    expect(found).toMatchObject({ primary: 0, repeated: 0 });
    if (!cached.has(path)) expect(found.replica).toBeGreaterThan(0);
  });

  it.each([
    '/api/agents',
    '/api/collections',
    '/api/console/overview',
    '/api/agents/:slug/calls',
    '/api/agents/:slug/stats',
    '/agents/:slug',
    '/console',
    '/console/agents/:slug',
    '/console/agents/:slug/calls',
  ])('answers %s to a user', async (path) => {
    await answersTo(one, async () => {
      const headers = { cookie: ada.cookie, accept: 'text/html, */*' };
      const response = await fetch(one.url + path.replace(':slug', slug), { headers });
      await response.text();
      expect(response.status).toBe(200);
    });
  });

  it('never answers for tokens, settings, payments and tasks', async () => {
    const found = await readsOf(one, async () => {
      for (const path of ['/api/auth/access-tokens', '/api/spending', '/api/orders', '/api/account'])
        await send(one.url + path, { cookie: ada.cookie });
      const connection = await connectTo(one.url, ada, slug);
      const { body } = await rpc(connection, 'message/send', message03('hello'));
      await rpc(connection, 'tasks/get', { id: (body.result as { id: string }).id });
    });
    expect(found).toEqual({ replica: 0, primary: 0, repeated: 0 });
  });

  it('is reported without its address', async () => {
    expect(await replicasOf(one)).toEqual([{ state: 'usable', lagSeconds: expect.any(Number) }]);
  });
});

describe('a replica that lags', () => {
  afterEach(resumeReplay);

  it('is not read for a user who wrote, is read for everyone else for 5 s, and then for nobody', async () => {
    await rename(one, 'Before');
    await caughtUp();
    await usable();
    await pauseReplay(database.standby.url);
    await rename(one, 'After');
    expect([await titleAt(one, ada), await titleAt(two, ada)]).toEqual(['After', 'After']);
    expect([await titleAt(one), await titleAt(two)]).toEqual(['Before', 'Before']);
    await inState('lagging');
    expect([await titleAt(one), await titleAt(two)]).toEqual(['After', 'After']);
    expect((await replicasOf(one))[0]?.lagSeconds).toBeGreaterThan(5);
    await resumeReplay();
    await usable();
    await answersTo(two, () => titleAt(two, ada));
  });

  it('does not fill a cache with data that another node has already changed', async () => {
    await caughtUp();
    await usable();
    const tagsAt = async (node: Parley): Promise<unknown> =>
      ((await (await fetch(`${node.url}/api/agents/${slug}`)).json()) as { tags: string[] }).tags;
    await tagsAt(two);
    await pauseReplay(database.standby.url);
    const body = { tags: ['translation'] };
    const changed = await send(`${one.url}/api/agents/${slug}`, { method: 'PATCH', body, bearer: ada.accessToken });
    expect(changed.status).toBe(200);
    await rename(one, 'Not at the replica');
    await waitFor(async () => JSON.stringify(await tagsAt(two)) === '["translation"]', {
      timeout: 3_000,
      what: 'the change to arrive at the other node',
    });
    expect(await titleAt(two)).toBe('After');
  });

  it('delays no revocation, and no change of a spending setting', async () => {
    const app = await createApp(one.url, ada);
    const owned = await listAgent(one.url, ada, { url: agent.url, appId: app.id });
    const token = await tokenFor(one.url, ada, owned);
    const introspected = async (node: Parley): Promise<unknown> => {
      const call = { method: 'POST', headers: { authorization: basic(app) }, body: new URLSearchParams({ token }) };
      return (await fetch(`${node.url}/api/auth/introspect`, call)).json();
    };
    expect(await introspected(one)).toMatchObject({ active: true });
    await pauseReplay(database.standby.url);
    expect((await postForm(`${one.url}/api/auth/revoke`, { client_id: 'parley-cli', token })).status).toBe(200);
    expect(await introspected(one)).toEqual({ active: false });
    expect(await introspected(two)).toEqual({ active: false });
    const path = '/api/spending/time-zone';
    const set = { method: 'PUT', body: { timeZone: 'Europe/Madrid' }, cookie: ada.cookie, origin: one.url };
    expect((await send(one.url + path, set)).status).toBe(200);
    const spending = await send(`${two.url}/api/spending`, { cookie: ada.cookie });
    expect(await spending.json()).toMatchObject({ timeZone: 'Europe/Madrid' });
  });
});

describe('a replica that stops', () => {
  it('is no longer read, without a failed read, and is read again after its restart', async () => {
    await usable();
    const reading = { isOver: false, statuses: new Set<number>() };
    const readers = [undefined, ada].map(async (reader) => {
      while (!reading.isOver) {
        const path = `${one.url}/api/collections/${collection}`;
        reading.statuses.add((await send(path, { bearer: reader?.accessToken })).status);
      }
    });
    database.standby.stop('immediate');
    await inState('unavailable');
    await rename(two, 'Without a replica');
    expect([await titleAt(one), await titleAt(two, ada)]).toEqual(['Without a replica', 'Without a replica']);
    database.standby.start();
    await usable();
    reading.isOver = true;
    await Promise.all(readers);
    expect([...reading.statuses]).toEqual([200]);
    await answersTo(one, () => titleAt(one, ada));
  });
});

describe('a user', () => {
  it('reads their own writes on any node, in 1,000 random pairs while replay stops for up to 200 ms', async () => {
    await usable();
    const people = await Promise.all(Array.from({ length: 16 }, () => person('Ben')));
    const accessTokens = people.map(({ accessToken }) => accessToken);
    const nodes = [one.url, two.url];
    const run = { standbyUrl: database.standby.url, nodes, accessTokens, pairs: 1_000 };
    const [first, second] = await readsOfBoth(async () => {
      expect(await writeThenReadPairs(run)).toEqual({ done: 1_000, stale: 0 });
    });
    // Both servers answered on both nodes, so the pauses were neither always nor never in the way.
    for (const { replica, primary } of [first, second]) {
      expect(replica).toBeGreaterThan(0);
      expect(primary).toBeGreaterThan(0);
    }
  }, 120_000);
});

describe('a replica that is promoted', () => {
  it('is no longer read, because it does not receive the primary’s writes', async () => {
    await usable();
    database.standby.promote();
    await inState('unavailable');
    await rename(one, 'After the promotion');
    expect([await titleAt(one), await titleAt(two, ada)]).toEqual(['After the promotion', 'After the promotion']);
  });
});
