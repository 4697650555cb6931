import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConnectionCutter, openConnectionCutter } from '../fakes/connection-cutter';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { fileDatabase } from '../support/database';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

let parley: Parley;
let agent: ScriptedAgent;
let connection: ConnectionCutter;
let ada: Person;
let slug: string;

beforeAll(async () => {
  const { url } = await fileDatabase();
  connection = await openConnectionCutter(url);
  agent = await ScriptedAgent.start({ name: 'Echo' });
  parley = await startParley({
    databaseUrl: connection.via(url),
    env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' },
  });
  ada = await createPerson(parley.url);
  slug = await listAgent(parley.url, ada, { url: agent.url });
});

afterAll(async () => {
  await parley?.kill('SIGKILL');
  await agent?.stop();
  await connection?.cut();
});

async function handshake(): Promise<number> {
  const response = await fetch(`${parley.url}/api/auth/handshake`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ agentSlug: slug }),
    signal: AbortSignal.timeout(20_000),
  });
  await response.arrayBuffer();
  return response.status;
}

const handshakes = (): Promise<number[]> => Promise.all(Array.from({ length: 24 }, () => handshake()));

/** Milliseconds until all of 24 concurrent handshakes returned a token, and the statuses on the way. */
async function untilAllSucceed(): Promise<{ ms: number; seen: number[] }> {
  const from = performance.now();
  const seen: number[] = [];
  await waitFor(
    async () => {
      const statuses = await handshakes();
      seen.push(...statuses);
      return statuses.every((status) => status === 200);
    },
    { timeout: 30_000, what: 'all handshakes to succeed' },
  );
  return { ms: performance.now() - from, seen };
}

async function readiness(): Promise<{ status: number; ms: number }> {
  const from = performance.now();
  const response = await fetch(`${parley.url}/readyz`, { signal: AbortSignal.timeout(20_000) });
  await response.arrayBuffer();
  return { status: response.status, ms: performance.now() - from };
}

test('24 concurrent handshakes succeed within 5 s after every database connection freezes', async () => {
  expect(await handshakes()).toEqual(Array(24).fill(200));
  connection.freeze();
  const [{ ms, seen }, ready] = await Promise.all([untilAllSucceed(), readiness()]);
  expect(ms).toBeLessThan(5_000);
  expect(new Set(seen).size === 1 || seen.every((status) => status === 200 || status === 503)).toBe(true);
  expect(ready.ms).toBeLessThan(1_500);
  await waitFor(async () => (await readiness()).status === 200, { timeout: 5_000, what: 'the node to be ready' });
});

test('sequential callers do not each wait for a frozen connection', async () => {
  await handshakes();
  connection.freeze();
  const from = performance.now();
  await waitFor(async () => (await handshake()) === 200, { timeout: 10_000, what: 'one handshake to succeed' });
  for (let turn = 0; turn < 12; turn++) expect(await handshake()).toBe(200);
  expect(performance.now() - from).toBeLessThan(5_000);
});

test('a node is not ready while the database is unreachable, returns Retry-After, and recovers', async () => {
  connection.stall();
  // Results from a moment before are still cached.
  const times: number[] = [];
  const isRefused = async (): Promise<boolean> => {
    const { status, ms } = await readiness();
    times.push(ms);
    return status === 503;
  };
  await waitFor(isRefused, { timeout: 5_000, what: 'the node not to be ready' });
  expect(Math.max(...times)).toBeLessThan(1_500);
  const from = performance.now();
  const statuses = await handshakes();
  expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
  expect(performance.now() - from).toBeLessThan(20_000);
  connection.resume();
  expect((await untilAllSucceed()).ms).toBeLessThan(5_000);
});

test('a node does not cancel a statement that the server is executing', async () => {
  const { watchConnection } = await import('@/lib/platform/db/database-connection');
  const { connectionSettings } = await import('@/lib/platform/db/database-connection');
  const { default: pg } = await import('pg');
  const client = new pg.Client(connectionSettings());
  await client.connect();
  watchConnection(client);
  await client.query('SELECT pg_sleep(5)');
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await client.end();
});
