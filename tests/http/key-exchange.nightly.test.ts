import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewClientSecret } from '@/lib/tokens/schema';
import { PushReceiver } from '../fakes/push-receiver';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { fileDatabase } from '../support/database';
import { createPerson, listAgent, message03, type Person, rpc, send, tokenFor } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

const newKey = (): string => randomBytes(32).toString('base64url');
const [first, second] = [process.env.KEY_ENCRYPTION_KEY ?? '', newKey()];

/** Seven nodes start here. */
const patience = 300_000;

type Keys = { KEY_ENCRYPTION_KEY: string; KEY_DECRYPTION_KEY?: string };
const onlyFirst: Keys = { KEY_ENCRYPTION_KEY: first };
const firstReadsSecond: Keys = { KEY_ENCRYPTION_KEY: first, KEY_DECRYPTION_KEY: second };
const secondReadsFirst: Keys = { KEY_ENCRYPTION_KEY: second, KEY_DECRYPTION_KEY: first };
const onlySecond: Keys = { KEY_ENCRYPTION_KEY: second };

let agent: ScriptedAgent;
let receiver: PushReceiver;
let origin: string;
let url: string;
let nodes: Parley[] = [];
let person: Person;
let app: NewClientSecret;
let slug: string;
let caller: string;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Keys' });
  receiver = await PushReceiver.start();
  url = (await fileDatabase()).url;
  nodes = [await startParley({ env: { ...onlyFirst, AGENT_URL_ALLOW: 'http://127.0.0.1:*' } })];
  origin = nodes[0]?.url ?? '';
  person = await createPerson(origin, 'Kay');
  const made = await send(`${origin}/api/apps`, { body: { name: 'keys' }, bearer: person.accessToken });
  app = (await made.json()) as NewClientSecret;
  slug = await listAgent(origin, person, { url: agent.url, appId: app.id });
  await storeCredential(origin, 'stored before the exchange');
  caller = await callerSeenThrough(origin);
  await addPushes(1_100);
}, patience);

afterAll(async () => {
  for (const node of nodes) await node.stop();
  await agent?.stop();
  await receiver?.stop();
});

function startNode(keys: Keys): Promise<Parley> {
  return startParley({ databaseUrl: url, env: { ...keys, AGENT_URL_ALLOW: 'http://127.0.0.1:*', APP_URL: origin } });
}

/** Starts a node with these keys beside the running one, checks both, and stops the other, as a rolling deployment does. */
async function replaceNode(keys: Keys, whileBothRun: () => Promise<void> = async () => undefined): Promise<void> {
  const next = await startNode(keys);
  const before = nodes;
  nodes = [...before, next];
  await expectAllToWork();
  await whileBothRun();
  nodes = [next];
  for (const node of before) await node.stop();
  await expectAllToWork();
}

async function storeCredential(at: string, token: string): Promise<void> {
  const body = { kind: 'bearer', token };
  const put = await send(`${at}/api/agents/${slug}/credentials`, { method: 'PUT', body, bearer: person.accessToken });
  expect(put.status, await put.clone().text()).toBe(200);
}

const connection = async (at: string) => ({
  url: `${at}/agents/${slug}/a2a/jsonrpc`,
  token: await tokenFor(at, person, slug),
});

/** The id under which the agent sees the caller. */
async function callerSeenThrough(at: string): Promise<string> {
  const [, payload = ''] = (await tokenFor(at, person, slug)).split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).sub;
}

/** The bearer token that the agent receives in a call through a node. */
async function credentialSentThrough(at: string): Promise<string> {
  const before = agent.received.length;
  const { body } = await rpc(await connection(at), 'message/send', message03('hi'));
  expect(body.error).toBeUndefined();
  return String(agent.received[before]?.headers.authorization);
}

/** Ended receivers, so that the column has several batches. Ids of tasks order them. */
async function addPushes(count: number): Promise<void> {
  const { body } = await rpc(await connection(origin), 'message/send', message03('hi'));
  const taskId = (body.result as { id: string }).id;
  const config = { url: `${receiver.url}/kept`, token: 'secret of the receiver' };
  await rpc(await connection(origin), 'tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: config });
  await query(
    'test-copy-pushes',
    `INSERT INTO push_config (task_id, id, principal, agent_id, dialect, url, secrets, sent_seq, ended, due_at, created_at)
     SELECT task_id, 'copy' || n, principal, agent_id, dialect, url, secrets, sent_seq, true, due_at, created_at
     FROM push_config, generate_series(1, $1::int) n`,
    [count],
  );
}

/** Credentials from before the exchange still work through every node. */
async function expectAllToWork(): Promise<void> {
  for (const [index, node] of nodes.entries()) {
    const token = `stored through node ${index}`;
    await storeCredential(node.url, token);
    for (const other of nodes) expect(await credentialSentThrough(other.url)).toBe(`Bearer ${token}`);
    expect(await callerSeenThrough(node.url)).toBe(caller);
    const introspected = await fetch(`${node.url}/api/auth/introspect`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ token: await tokenFor(node.url, person, slug) }),
    });
    expect(await introspected.json()).toMatchObject({ active: true });
  }
}

function runKeys(
  keys: Keys,
  ...args: string[]
): { child: ReturnType<typeof spawn>; ended: Promise<[number | null, string]> } {
  const { PATH, HOME, NEXTAUTH_SECRET } = process.env;
  const env = { PATH, HOME, NEXTAUTH_SECRET, DATABASE_URL: url, NODE_ENV: 'production' as const, ...keys };
  const child = spawn(process.execPath, ['scripts/cli/main.mjs', 'keys', ...args], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve([code, output]))) };
}

const reencrypt = (keys: Keys): Promise<[number | null, string]> => runKeys(keys, 'reencrypt').ended;

/** All encrypted texts, to detect any write. */
async function sealedTexts(): Promise<string[]> {
  const rows = await query<{ sealed: string }>(
    'test-sealed',
    `SELECT private_sealed AS sealed FROM signing_key UNION ALL SELECT sealed FROM agent_credential
     UNION ALL SELECT secrets FROM push_config UNION ALL SELECT sealed FROM root_secret`,
  );
  return rows.map(({ sealed }) => sealed).sort();
}

test(
  'a node does not start with a key that running nodes cannot use for decryption',
  async () => {
    await expect(startNode(onlySecond)).rejects.toThrow(
      /KEY_ENCRYPTION_KEY: found a value that cannot decrypt \d+ of \d+ signing keys/,
    );
    await expect(startNode(secondReadsFirst)).rejects.toThrow(
      /found running nodes that cannot decrypt what it encrypts/,
    );
    expect(await credentialSentThrough(origin)).toBe('Bearer stored before the exchange');
  },
  patience,
);

test(
  'the encryption key is exchanged node by node, and re-encryption waits for nodes with the old key',
  async () => {
    await replaceNode(firstReadsSecond);
    await replaceNode(secondReadsFirst, async () => {
      const before = await sealedTexts();
      const [code, said] = await reencrypt(secondReadsFirst);
      expect([code, said]).toEqual([
        1,
        expect.stringMatching(/these running nodes encrypt with another key.*Nothing was changed/),
      ]);
      expect(await sealedTexts()).toEqual(before);
    });
  },
  patience,
);

test(
  'a wrong previous encryption key is rejected before the first write, with neither key in the message',
  async () => {
    const before = await sealedTexts();
    const wrong = { KEY_ENCRYPTION_KEY: second, KEY_DECRYPTION_KEY: newKey() };
    const [code, said] = await reencrypt(wrong);
    expect(code).toBe(1);
    expect(said).toMatch(
      /found rows that neither KEY_ENCRYPTION_KEY nor KEY_DECRYPTION_KEY decrypts.*Nothing was changed/,
    );
    expect(said).toMatch(/^signing_key: .*tok-/m);
    for (const secret of [second, wrong.KEY_DECRYPTION_KEY]) expect(said).not.toContain(secret);
    expect(await sealedTexts()).toEqual(before);
  },
  patience,
);

test(
  'a killed key exchange leaves rows with both keys, which all nodes read and a second exchange completes',
  async () => {
    const holder = new Client({ connectionString: url });
    await holder.connect();
    await holder.query('BEGIN');
    // The third batch waits for this row.
    await holder.query('SELECT FROM push_config ORDER BY task_id DESC, id DESC LIMIT 1 FOR UPDATE');
    const { child, ended } = runKeys(secondReadsFirst, 'reencrypt');
    const blocked = `FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
    const isBlocked = async (): Promise<boolean> => (await query('test-blocked', `SELECT pid ${blocked}`)).length > 0;
    await waitFor(isBlocked, { timeout: 60_000, what: 'the third batch to wait' });
    child.kill('SIGKILL');
    await ended;
    // Its statement would otherwise continue in the database.
    await query('test-end-blocked', `SELECT pg_terminate_backend(pid) ${blocked}`);
    await holder.query('ROLLBACK');
    await holder.end();
    await expectAllToWork();
    const [code, said] = await reencrypt(secondReadsFirst);
    expect(code, said).toBe(0);
    const [, rows = 0, rest = 0] = (/^push_config: (\d+) rows, (\d+) of them encrypted again$/m.exec(said) ?? []).map(
      Number,
    );
    expect(rows).toBe(1_101);
    expect(rest).toBeGreaterThan(0);
    expect(rest).toBeLessThan(rows);
    const [again, nothing] = await reencrypt(secondReadsFirst);
    expect(again).toBe(0);
    expect(nothing.match(/ 0 of them encrypted again/g)).toHaveLength(5);
    expect(nothing).toContain('remove KEY_DECRYPTION_KEY from all nodes');
  },
  patience,
);

test(
  'nodes serve without the previous encryption key after an exchange, and refuse to start with only that key',
  async () => {
    await replaceNode(onlySecond);
    await expect(startNode(onlyFirst)).rejects.toThrow(
      /KEY_ENCRYPTION_KEY: found a value that cannot decrypt \d+ of \d+ signing keys/,
    );
    const [code, said] = await reencrypt(onlySecond);
    expect(code, said).toBe(0);
    const { body } = await rpc(await connection(nodes[0]?.url ?? ''), 'tasks/pushNotificationConfig/list', {
      id: (await query<{ id: string }>('test-push-task', 'SELECT task_id AS id FROM push_config LIMIT 1'))[0]?.id ?? '',
    });
    expect(body.error).toBeUndefined();
  },
  patience,
);
