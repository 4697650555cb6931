import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveRows, ownerTables, withMovedRows } from '@/lib/platform/db/task-databases/owner-rows';
import { inTransactionOf } from '@/lib/platform/db/tx';
import { adoptTasks } from '@/lib/tasks/store/transfer-tasks';
import * as agent03 from '../fakes/a2a03';
import { type ConnectionCutter, openConnectionCutter } from '../fakes/connection-cutter';
import { type Exchange, ScriptedAgent } from '../fakes/scripted-agent';
import { ChatClient } from '../http/chat-fixture';
import { createTestDatabase, fileDatabase, type TestDatabase } from '../support/database';
import { createPerson, listAgent } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

// A main database, another one behind a connection that can be cut, and two nodes.
let nodes: Parley[];
let agent: ScriptedAgent;
let other: TestDatabase;
let cutter: ConnectionCutter;
let setting: string;
let slug: string;
let metricsPort: number;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Echo' });
  await fileDatabase();
  other = await createTestDatabase();
  cutter = await openConnectionCutter(other.url);
  setting = `t1=${cutter.via(other.url)}`;
  process.env.TASK_DATABASE_URLS = setting;
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*', TASK_DATABASE_URLS: setting };
  metricsPort = await freePort();
  const first = await startParley({ env: { ...env, METRICS_PORT: String(metricsPort) } });
  nodes = [first, await startParley({ env: { ...env, APP_URL: first.url } })];
  slug = await listAgent(first.url, await createPerson(first.url, 'Olga'), { url: agent.url });
});
afterAll(async () => {
  for (const node of nodes ?? []) await node.stop();
  await cutter?.cut();
  await agent?.stop();
  await other?.drop();
});

const run = promisify(execFile);

/** Runs `parley shards` and returns its output; its error output if it fails. */
async function shards(...args: string[]): Promise<string> {
  const env = { ...process.env, TASK_DATABASE_URLS: setting };
  const { stdout, stderr } = await run(process.execPath, ['scripts/cli/main.mjs', 'shards', ...args], { env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return `${stdout}${stderr}`;
}

async function newUser(name: string, node = 0): Promise<ChatClient> {
  const { url } = nodes[node] as Parley;
  return new ChatClient(url, await createPerson(url, name));
}

/** The metric of the first node. */
async function reachability(): Promise<string | undefined> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return /^db_task_database\{[^}]*name="t1"[^}]*\} (\d)$/m.exec(metrics)?.[1];
}

function databaseOf({ person }: ChatClient): Promise<string | undefined> {
  const text = 'SELECT database FROM task_owner WHERE principal = $1';
  return query<{ database: string }>('test-owner', text, [person.userId]).then(([row]) => row?.database);
}

/** Creates users until one is in this database, and sends the first message. */
async function userIn(database: string): Promise<{ client: ChatClient; conversationId: string }> {
  for (let attempt = 0; attempt < 40; attempt++) {
    const client = await newUser('Uma');
    const { conversationId } = await client.say({ agentSlug: slug, text: 'Hello' });
    if ((await databaseOf(client)) === database) return { client, conversationId };
  }
  throw new Error(`no user was assigned to ${database}`);
}

async function countTasks(databaseUrl: string, { person }: ChatClient): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rowCount } = await client.query('SELECT FROM task WHERE principal = $1', [person.userId]);
  await client.end();
  return rowCount ?? 0;
}

describe('databases of owners', () => {
  test('are used for new owners after they are added, and earlier owners stay in the main database', async () => {
    const early = await newUser('Ema');
    const { conversationId } = await early.say({ agentSlug: slug, text: 'Early' });
    expect(await shards('status')).toContain('t1: not added');
    expect(await shards('add', 't1')).toMatch(/t1: 0 owners registered; accepts new ones/);
    expect(await databaseOf(early)).toBe('main');
    await early.say({ conversationId, text: 'Again' });
    expect(await countTasks(process.env.DATABASE_URL as string, early)).toBe(2);
    const { client } = await userIn('t1');
    expect(await countTasks(other.url, client)).toBe(1);
    expect(await countTasks(process.env.DATABASE_URL as string, client)).toBe(0);
  });

  test('are read and written by every node', async () => {
    const { client, conversationId } = await userIn('t1');
    const elsewhere = new ChatClient((nodes[1] as Parley).url, client.person);
    await elsewhere.say({ conversationId, text: 'From the other node' });
    expect(JSON.stringify(await client.thread(conversationId))).toContain('From the other node');
  });

  test('that are unavailable affect only their owners, who get 503 with Retry-After', async () => {
    const [there, here] = [await userIn('t1'), await userIn('main')];
    await cutter.cut();
    try {
      const refused = await there.client.call(`/api/chat/conversations/${there.conversationId}`);
      expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
      await here.client.say({ conversationId: here.conversationId, text: 'Still here' });
      expect((await fetch(`${(nodes[0] as Parley).url}/readyz`)).status).toBe(200);
      expect(await reachability()).toBe('0');
    } finally {
      await cutter.restore();
    }
    const again = (): Promise<Response> => there.client.call(`/api/chat/conversations/${there.conversationId}`);
    await waitFor(async () => (await again()).status === 200, { what: 'the database to be used again' });
    await there.client.say({ conversationId: there.conversationId, text: 'Back' });
    await waitFor(async () => (await reachability()) === '1', {
      what: 'the node to use the database',
      timeout: 20_000,
    });
  });

  test('of a node that died are continued by another node', async () => {
    const { client, conversationId } = await userIn('t1');
    const third = await startParley({
      env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*', TASK_DATABASE_URLS: setting, APP_URL: (nodes[0] as Parley).url },
    });
    const calls: Exchange[] = [];
    agent.answer(async (call) => {
      calls.push(call);
      const messageId = calls[0]?.received.params.message?.messageId ?? '';
      call.result(agent03.status(messageId, 'working'));
      await call.gone;
    });
    const { taskId } = await new ChatClient(third.url, client.person).say({ conversationId, text: 'Work' });
    const hasState = async (state: string): Promise<boolean> => {
      const { tasks } = await client.thread(conversationId);
      return JSON.stringify(tasks.find(({ id }) => id === taskId)).includes(`"state":"${state}"`);
    };
    // Without the agent's id of the task, no node can continue it.
    await waitFor(() => hasState('working'), { what: 'the first event to be stored' });
    await third.kill('SIGKILL');
    await waitFor(() => calls.length === 2, { what: 'another node to continue the run', timeout: 30_000 });
    const [first, second] = calls;
    second?.result(agent03.status(first?.received.params.message?.messageId ?? '', 'completed', 'Done'));
    second?.end();
    await waitFor(() => hasState('completed'), { what: 'the end of the task' });
    await third.stop();
  });

  test('must be in the settings of every node', async () => {
    const without = startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
    await expect(without).rejects.toThrow(/TASK_DATABASE_URLS: found no t1/);
  });

  test('keep the rows of a guest whom an account in another database takes over', async () => {
    const { url } = nodes[0] as Parley;
    const guestId = 'gst_moved';
    const { client, conversationId } = await userIn('t1');
    await query('test-guest-owner', `INSERT INTO task_owner VALUES ($1, 't1', now())`, [guestId]);
    const database = new pg.Client({ connectionString: other.url });
    await database.connect();
    for (const { table, column } of ownerTables)
      await database.query(`UPDATE ${table} SET ${column} = $2 WHERE ${column} = $1`, [client.person.userId, guestId]);
    const { client: account } = await userIn('main');
    const kept = await withMovedRows({ principal: guestId, other: account.person.userId }, (copyRows) =>
      inTransactionOf(account.person.userId, async (tx) => {
        await copyRows(tx);
        const ids = await giveRows(tx, { from: guestId, to: account.person.userId });
        await adoptTasks(tx, ids, { principal: account.person.userId, credentialId: 'ses_1' });
        return ids;
      }),
    );
    expect(kept).toHaveLength(1);
    const { rowCount } = await database.query('SELECT FROM task WHERE principal = $1', [guestId]);
    await database.end();
    expect(rowCount).toBe(0);
    const thread = new ChatClient(url, account.person).thread(conversationId);
    expect(JSON.stringify(await thread)).toContain('Hello');
  });

  test('can be closed for new owners, but not the last one that accepts them', async () => {
    expect(await shards('close', 't1')).toMatch(/t1: \d+ owners registered; does not accept new ones/);
    const late = await newUser('Lea');
    await late.say({ agentSlug: slug, text: 'Late' });
    expect(await databaseOf(late)).toBe('main');
    expect(await shards('close', 'main')).toContain('no other database accepts new owners');
    expect(await shards('add', 't2')).toContain('"t2" is not in TASK_DATABASE_URLS');
  });
});
