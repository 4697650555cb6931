import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { primaryUrl } from '../../scripts/primary-url.mjs';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Connection, connectTo, createPerson, listAgent, message03, post, rpc } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { queryAt, type ReplicatedDatabase, startReplicatedDatabase } from '../support/replicated-database';
import { waitFor } from '../support/wait-for';

let database: ReplicatedDatabase;
let agent: ScriptedAgent;
let parley: Parley;
let connection: Connection;

beforeAll(async () => {
  database = await startReplicatedDatabase();
  agent = await ScriptedAgent.start({ name: 'Echo' });
  parley = await startParley({ databaseUrl: database.listUrl, env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  const ada = await createPerson(parley.url, 'Ada', (_, text, values) => queryAt(database.primary.url, text, values));
  connection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
}, 120_000);

afterAll(async () => {
  await parley?.stop();
  await agent?.stop();
  database?.stop();
});

interface Ready {
  status: string;
  replication?: string;
  warnings?: { replication?: string };
}

async function readiness(): Promise<Ready & { code: number }> {
  const response = await fetch(`${parley.url}/readyz`);
  return { code: response.status, ...((await response.json()) as Ready) };
}

async function send(): Promise<{ status: number; retryAfter: string | null; taskId?: string; state?: string }> {
  const { status, headers, body } = await rpc(connection, 'message/send', message03('hello'));
  const result = body.result as { id: string; status: { state: string } } | undefined;
  return { status, retryAfter: headers.get('retry-after'), taskId: result?.id, state: result?.status.state };
}

const untilServed = (): Promise<boolean> =>
  waitFor(async () => (await send()).state === 'completed', { timeout: 20_000, what: 'a message to be served' });

describe('a database with several servers', () => {
  test('is used at the primary, wherever it is in the list', async () => {
    expect(await send()).toMatchObject({ status: 200, state: 'completed' });
  });

  test('is reported as one that may lose acknowledged writes while replication is asynchronous', async () => {
    await waitFor(async () => (await readiness()).replication === 'asynchronous', { what: 'the replication' });
    expect((await readiness()).warnings?.replication).toMatch(/a failover may lose the last ones/);
  });

  test('gets no warning about lost writes while replication is synchronous', async () => {
    await database.replicateSynchronously();
    await waitFor(async () => (await readiness()).replication === 'synchronous', { what: 'the replication' });
    expect(await readiness()).not.toHaveProperty('warnings');
  });

  test('causes a 503 with Retry-After while it has no primary, and is used again without a restart once one is promoted', async () => {
    const { taskId } = await send();
    database.primary.stop('immediate');
    const refused = await send();
    expect(refused).toMatchObject({ status: 503, retryAfter: '2' });
    expect(await readiness()).toMatchObject({ code: 503 });
    database.standby.promote();
    await untilServed();
    const kept = await queryAt(database.standby.url, `SELECT state FROM task WHERE id = '${taskId}'`);
    expect(kept).toEqual([{ state: 'completed' }]);
  });

  test('is never used at a former primary that accepts writes again', async () => {
    database.primary.start();
    expect(await queryAt(database.primary.url, 'SHOW transaction_read_only')).toEqual([
      { transaction_read_only: 'off' },
    ]);
    // The commands choose the newest timeline too, wherever it is in the list.
    const { primary, standby } = database;
    const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`);
    expect(await primaryUrl(`postgresql://parley@${hosts}/postgres`)).toBe(standby.url);
    const [before] = await queryAt(database.primary.url, 'SELECT count(*)::int AS tasks FROM task');
    expect(await send()).toMatchObject({ state: 'completed' });
    database.standby.stop('immediate');
    const refused = await send();
    expect(refused.status).toBe(503);
    expect(await readiness()).toMatchObject({ code: 503 });
    const [after] = await queryAt(database.primary.url, 'SELECT count(*)::int AS tasks FROM task');
    expect(after).toEqual(before);
    database.standby.start();
    await untilServed();
  });
});

describe('a failover that loses events', () => {
  test('ends the streams of a task that no longer exists', async () => {
    const replicated = await startReplicatedDatabase();
    const slow = await ScriptedAgent.start({ name: 'Slow' });
    const node = await startParley({ databaseUrl: replicated.listUrl, env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
    try {
      const grace = await createPerson(node.url, 'Grace', (_, text, values) =>
        queryAt(replicated.primary.url, text, values),
      );
      const target = await connectTo(node.url, grace, await listAgent(node.url, grace, { url: slow.url }));
      slow.answer(async ({ result, gone }) => {
        result({ kind: 'task', id: 'slow-1', contextId: 'slow', status: { state: 'working' } });
        await gone;
      });
      replicated.standby.stop('fast');
      const stream = await post(target, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('wait') });
      const reader = stream.body?.getReader();
      expect((await reader?.read())?.done).toBe(false);
      replicated.primary.stop('immediate');
      replicated.standby.start();
      replicated.standby.promote();
      const ended = async (): Promise<boolean> => {
        for (;;) if ((await reader?.read().catch(() => ({ done: true })))?.done) return true;
      };
      await expect(Promise.race([ended(), delay(30_000, false)])).resolves.toBe(true);
    } finally {
      await node.stop();
      await slow.stop();
      replicated.stop();
    }
  }, 120_000);
});
