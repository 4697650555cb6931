import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Connection, connectTo, createPerson, listAgent, message03, rpc } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';

// Changes of a later release to the database and the bus while nodes of this release run.
let parley: Parley;
let agent: ScriptedAgent;
let connection: Connection;
let client: Client;
let agentId: string;
let slug: string;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Echo' });
  parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  slug = await listAgent(parley.url, await createPerson(parley.url), { url: agent.url });
  client = new Client({ connectionString: parley.databaseUrl });
  await client.connect();
  agentId = (await client.query('SELECT id FROM agent WHERE slug = $1', [slug])).rows[0].id;
});
beforeEach(async () => {
  connection = await connectTo(parley.url, await createPerson(parley.url), slug);
});
afterAll(async () => {
  await client?.end();
  await parley?.stop();
  await agent?.stop();
});

const notify = (payload: string): Promise<unknown> => client.query("SELECT pg_notify('parley', $1)", [payload]);
const sendHello = async (): Promise<number> => (await rpc(connection, 'message/send', message03('hello'))).status;

const topics =
  'task context push credential grant agent app client user keys revoked slots order breaker hub hub-cancel hub-worker chain mcp-cancel test';

test('a node ignores unknown topics and payloads that it cannot read', async () => {
  for (const payload of [
    '',
    ' ',
    'node',
    'node later-topic',
    'node later-topic key',
    'node __proto__ constructor',
    '{"v":2}',
  ])
    await notify(payload);
  for (const topic of topics.split(' '))
    for (const key of ['', ',', ':', '::', 'a:b:c:d', '{"later":true}', 'x'.repeat(7_000)])
      await notify(`node ${topic} ${key}`);
  expect(await sendHello()).toBe(200);
  expect(parley.output()).not.toMatch(/uncaught|unhandled/i);
});

test('a node ignores members that a later release appends to a notification', async () => {
  // A response to a call from before a notification closes the breaker again, so each attempt notifies.
  const refusalAfter = async (payload: string): Promise<unknown> => {
    await notify(payload);
    const { body } = await rpc(connection, 'message/send', message03('hello'));
    return body.error;
  };
  const open = `node breaker ${agentId}:1:60000:later later`;
  await expect.poll(() => refusalAfter(open)).toMatchObject({ data: { reason: 'agent_unreachable' } });
  const close = `node breaker ${agentId}:0:0:later`;
  await expect.poll(() => refusalAfter(close)).toBeUndefined();
});

test('calls succeed after a later release adds a column to every table', async () => {
  expect(await sendHello()).toBe(200);
  const { rows } = await client.query(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  for (const { name } of rows) await client.query(`ALTER TABLE "${name}" ADD COLUMN "from_a_later_release" TEXT`);
  for (let call = 0; call < 5; call++) expect(await sendHello()).toBe(200);
  await createPerson(parley.url, 'Grace');
  expect((await fetch(`${parley.url}/readyz`)).status).toBe(200);
  expect((await fetch(`${parley.url}/api/agents`)).status).toBe(200);
});
