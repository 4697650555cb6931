import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settleMoves } from '@/lib/platform/db/task-databases/settle-moves';
import * as agent03 from '../fakes/a2a03';
import { type Exchange, ScriptedAgent } from '../fakes/scripted-agent';
import { ChatClient } from '../http/chat-fixture';
import { createTestDatabase, fileDatabase, type TestDatabase } from '../support/database';
import { createPerson, listAgent } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

// A main database, another one, and two nodes.
let nodes: Parley[];
let agent: ScriptedAgent;
let other: TestDatabase;
let setting: string;
let slug: string;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Echo' });
  await fileDatabase();
  other = await createTestDatabase();
  setting = `t1=${other.url}`;
  process.env.TASK_DATABASE_URLS = setting;
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*', TASK_DATABASE_URLS: setting };
  const first = await startParley({ env });
  nodes = [first, await startParley({ env: { ...env, APP_URL: first.url } })];
  answerAtOnce();
  slug = await listAgent(first.url, await createPerson(first.url, 'Olga'), { url: agent.url });
  expect(await shards('add', 't1')).toContain('t1: 0 owners');
  expect(await shards('close', 't1')).toContain('does not accept');
});
afterAll(async () => {
  for (const node of nodes ?? []) await node.stop();
  await agent?.stop();
  await other?.drop();
});

const run = promisify(execFile);

/** Runs `parley shards` and returns its output, also if it fails. */
async function shards(...args: string[]): Promise<string> {
  return runShards(args, {});
}

async function runShards(args: string[], more: Record<string, string>): Promise<string> {
  const env = { ...process.env, TASK_DATABASE_URLS: setting, ...more };
  const { stdout, stderr } = await run(process.execPath, ['scripts/cli/main.mjs', 'shards', ...args], { env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return `${stdout}${stderr}`;
}

async function newOwner(): Promise<{ client: ChatClient; elsewhere: ChatClient; conversationId: string }> {
  const [first, second] = nodes as [Parley, Parley];
  const client = new ChatClient(first.url, await createPerson(first.url, 'Uma'));
  const { conversationId, taskId } = await client.say({ agentSlug: slug, text: 'First' });
  await settled(client, conversationId, taskId);
  return { client, elsewhere: new ChatClient(second.url, client.person), conversationId };
}

async function databaseOf({ person }: ChatClient): Promise<string | undefined> {
  const text = 'SELECT database FROM task_owner WHERE principal = $1';
  return (await query<{ database: string }>('test-owner', text, [person.userId]))[0]?.database;
}

async function inDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function countTasks(url: string, { person }: ChatClient): Promise<number> {
  return inDatabase(url, async (client) => {
    const { rows } = await client.query('SELECT count(*) AS n FROM task WHERE principal = $1', [person.userId]);
    return Number(rows[0].n);
  });
}

/** Returns the texts of the messages that are stored in a database. */
function storedTexts(url: string, { person }: ChatClient): Promise<string[]> {
  return inDatabase(url, async (client) => {
    const text = `SELECT e.payload::text AS payload FROM task_event e JOIN task t ON t.id = e.task_id WHERE t.principal = $1`;
    const { rows } = await client.query<{ payload: string }>(text, [person.userId]);
    return rows.flatMap(({ payload }) => textsOf(JSON.parse(payload)));
  });
}

const mainUrl = (): string => process.env.DATABASE_URL as string;

function textsOf(thread: unknown): string[] {
  return [...JSON.stringify(thread).matchAll(/"text":"(Message \d+)"/g)].map(([, text]) => text as string);
}

/** Sends messages one after the other until stopped. Returns those that were accepted. */
function sendUntilStopped(on: ChatClient, conversationId: string): { stop: () => Promise<string[]> } {
  const accepted: string[] = [];
  const unexpected: number[] = [];
  let isStopped = false;
  const send = async (): Promise<void> => {
    while (!isStopped) {
      const text = `Message ${nextMessage++}`;
      const response = await on.post({ conversationId, text });
      await response.text();
      const isRetryable = [429, 503].includes(response.status) && response.headers.has('retry-after');
      if (response.status === 202) accepted.push(text);
      else if (!isRetryable) unexpected.push(response.status);
    }
  };
  const sending = send();
  return {
    stop: async () => {
      isStopped = true;
      await sending;
      expect(unexpected).toEqual([]);
      return accepted;
    },
  };
}

let nextMessage = 0;

describe('a move of an owner', () => {
  test('keeps every message that is sent meanwhile on both nodes, and changes nothing else', async () => {
    const { client, elsewhere, conversationId } = await newOwner();
    const neighbor = await newOwner();
    const senders = [sendUntilStopped(client, conversationId), sendUntilStopped(elsewhere, conversationId)];
    const output = await shards('move', client.person.userId, 't1');
    const sent = (await Promise.all(senders.map(({ stop }) => stop()))).flat();
    expect(output).toMatch(/main → t1, \d+ rows and \d+ in a pause of \d+ ms/);
    expect(await databaseOf(client)).toBe('t1');
    const last = (): Promise<Response> => elsewhere.post({ conversationId, text: 'Message 100000' });
    await waitFor(async () => (await last()).status === 202, { what: 'the limit of messages to permit one' });
    expect(sent.length).toBeGreaterThan(10);
    expect((await storedTexts(other.url, client)).sort()).toEqual([...sent, 'Message 100000'].sort());
    expect(await countTasks(mainUrl(), client)).toBe(0);
    expect(await countTasks(other.url, client)).toBe(sent.length + 2);
    expect(await countTasks(mainUrl(), neighbor.client)).toBe(1);
  });

  test('does not interrupt a running task or its readers', async () => {
    const { client, elsewhere, conversationId } = await newOwner();
    const calls: Exchange[] = [];
    agent.answer((call) => {
      calls.push(call);
      call.result(agent03.status(idOf(call), 'working', 'Step 1'));
      return call.gone;
    });
    const { taskId } = await client.say({ conversationId, text: 'Work' });
    const reader = readUntil(elsewhere, conversationId, 'Step 3');
    await waitFor(() => calls.length === 1, { what: 'the call' });
    const moving = shards('move', client.person.userId, 't1');
    const [call] = calls as [Exchange];
    call.result(agent03.status(idOf(call), 'working', 'Step 2'));
    expect(await moving).toContain('main → t1');
    call.result(agent03.status(idOf(call), 'completed', 'Step 3'));
    call.end();
    answerAtOnce();
    const shown = await reader;
    for (const step of ['Step 1', 'Step 2', 'Step 3']) expect(shown).toContain(step);
    await settled(client, conversationId, taskId);
    expect(calls).toHaveLength(1);
  });

  test.each([
    ['before the commit of the copy', 'move.fenced', 'main'],
    ['after the commit of the copy', 'move.committed', 't1'],
  ])('that is killed %s is finished by the nodes', async (_when, failpoint, database) => {
    const { client, conversationId } = await newOwner();
    await runShards(['move', client.person.userId, 't1'], { FAULT_POINT: failpoint });
    const isServed = async (): Promise<boolean> => {
      const response = await client.post({ conversationId, text: 'Again' });
      expect([202, 429, 503]).toContain(response.status);
      return response.status === 202;
    };
    await waitFor(isServed, { what: 'the owner to be served', timeout: 30_000 });
    expect(await databaseOf(client)).toBe(database);
    const [here, there] = database === 'main' ? [mainUrl(), other.url] : [other.url, mainUrl()];
    await waitFor(async () => (await countTasks(there, client)) === 0, {
      what: 'the other rows to be deleted',
      timeout: 20_000,
    });
    expect(await countTasks(here, client)).toBe(2);
    if (database === 'main') expect(await shards('move', client.person.userId, 't1')).toContain('main → t1');
  });

  test('rejects late writes to the source, also of a node that has missed the move', async () => {
    const { client } = await newOwner();
    expect(await shards('move', client.person.userId, 't1')).toContain('main → t1');
    const late = inDatabase(mainUrl(), (database) =>
      database.query(
        `INSERT INTO context (principal, agent_id, id, upstream_context_id) VALUES ($1, 'agt_x', 'late', 'late')`,
        [client.person.userId],
      ),
    );
    await expect(late).rejects.toMatchObject({ code: 'PM001' });
  });

  test('can be made in the other direction after the fence has ended, and leaves no trigger', async () => {
    const { client, conversationId } = await newOwner();
    const { userId } = client.person;
    expect(await shards('move', userId, 't1')).toContain('main → t1');
    expect(await shards('move', userId, 't1')).toContain('is already in t1');
    expect(await shards('move', userId, 'main')).toContain('was moved less than a minute ago');
    await waitFor(async () => (await settleMoves(0)) === 0, { what: 'the moves to be settled', timeout: 20_000 });
    const left = 'SELECT FROM pg_trigger WHERE tgname = $1';
    for (const url of [mainUrl(), other.url])
      expect((await inDatabase(url, (database) => database.query(left, ['reject_leaving_owner']))).rowCount).toBe(0);
    expect(await shards('move', userId, 'main')).toContain('t1 → main');
    await client.say({ conversationId, text: 'Message 200000' });
    expect(textsOf(await client.thread(conversationId))).toContain('Message 200000');
  });

  test('of each owner of a database is what a drain makes', async () => {
    const owners = await Promise.all([newOwner(), newOwner(), newOwner()]);
    for (const { client } of owners) await shards('move', client.person.userId, 't1');
    await waitFor(async () => (await settleMoves(0)) === 0, { what: 'the moves to be settled', timeout: 20_000 });
    const output = await shards('drain', 't1');
    expect(output).toMatch(/t1: 0 owners registered; does not accept new ones/);
    for (const { client, conversationId } of owners) {
      expect(await databaseOf(client)).toBe('main');
      expect(JSON.stringify(await client.thread(conversationId))).toContain('First');
    }
  });

  test('needs an owner and a database that exist', async () => {
    const { client } = await newOwner();
    expect(await shards('move', 'usr_unknown', 't1')).toContain('usr_unknown has no tasks or conversations');
    expect(await shards('move', client.person.userId, 't9')).toContain('"t9" is not in TASK_DATABASE_URLS');
    expect(await shards('move', client.person.userId)).toContain('move OWNER NAME');
    expect(await shards('drain', 'main')).toContain('no other database accepts new owners');
  });
});

/** Makes the agent complete each message. */
function answerAtOnce(): void {
  agent.answer((call) => {
    call.result(agent03.status(idOf(call), 'completed', 'Done'));
    call.end();
  });
}

function idOf({ received }: Exchange): string {
  return received.params.message?.messageId ?? '';
}

/** Waits until a task has ended. */
async function settled(client: ChatClient, conversationId: string, taskId: string): Promise<void> {
  const hasEnded = async (): Promise<boolean> => {
    const { tasks } = await client.thread(conversationId);
    return JSON.stringify(tasks.find(({ id }) => id === taskId)).includes('"state":"completed"');
  };
  await waitFor(hasEnded, { what: 'the task to end', timeout: 20_000 });
}

/** Reads the updates of a conversation until they contain `text`, with a new request when a stream ends. */
async function readUntil(client: ChatClient, conversationId: string, text: string): Promise<string> {
  let shown = '';
  while (!shown.includes(text)) {
    const response = await client.events(conversationId);
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk?.value) break;
      shown += decoder.decode(chunk.value, { stream: true });
      if (shown.includes(text)) await reader?.cancel();
    }
  }
  return shown;
}
