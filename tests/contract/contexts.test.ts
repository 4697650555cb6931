import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { query } from '@/lib/platform/sql';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { createPerson, type Line, lineTo, listAgent, message03, type Person, rpc } from '../support/world';

let parley: Parley;
let agent: ScriptedAgent;
let ada: Person;
let line: Line;

interface Found {
  id: string;
  contextId: string;
}

beforeAll(async () => {
  agent = await ScriptedAgent.start();
  parley = await startParley({ mount: 'server', env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  ada = await createPerson(parley.url);
  line = await lineTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
});

afterAll(async () => {
  await parley?.stop();
  await agent?.stop();
});

beforeEach(() => {
  agent.received.length = 0;
  says('completed');
});

/** The agent's next answers; `working` is said alone, and the stream stays open. */
function says(state: string, taskId = newUuid()): void {
  agent.answer(({ result, end }) => {
    result(agent03.status(taskId, state, 'so it is'));
    if (state !== 'working') end();
  });
}

async function say(extra: object = {}, configuration?: object): Promise<Found> {
  const { body } = await rpc(line, 'message/send', {
    ...message03('hello', extra),
    ...(configuration && { configuration }),
  });
  if (body.error) throw new Error(JSON.stringify(body.error));
  return body.result as Found;
}

const heard = (): (string | undefined)[] =>
  agent.calls('message/stream').map(({ params }) => params.message?.contextId);

describe('the agent knows a conversation', () => {
  test('by one id of its own, whether Parley or the client named it', async () => {
    for (const chosen of [undefined, newUuid(), 'mine, "quoted"']) {
      agent.received.length = 0;
      const { contextId } = await say(chosen ? { contextId: chosen } : {});
      await say({ contextId });
      await say({ contextId });
      expect(new Set(heard()).size).toBe(1);
      expect(heard()).not.toContain(contextId);
    }
  });

  test('by another id than every other conversation', async () => {
    for (const extra of [{}, {}, { contextId: 'a' }, { contextId: 'b' }]) await say(extra);
    expect(new Set(heard()).size).toBe(4);
  });

  test('by another id than every other agent', async () => {
    const other = await ScriptedAgent.start();
    other.answer(({ result, end }) => {
      result(agent03.status(newUuid(), 'completed'));
      end();
    });
    const elsewhere = await lineTo(parley.url, ada, await listAgent(parley.url, ada, { url: other.url }));
    await say({ contextId: 'a' });
    await rpc(elsewhere, 'message/send', message03('hello', { contextId: 'a' }));
    const [told] = other.calls('message/stream').map(({ params }) => params.message?.contextId);
    await other.stop();
    expect(told).toMatch(/^[0-9a-f-]{36}$/);
    expect(heard()).not.toContain(told);
  });

  test('by the id that it knew it by before these followed from whose it is', async () => {
    const contextId = newUuid();
    says('input-required', 'up-asks');
    const { id } = await say({ contextId });
    await query(
      'test-earlier-context',
      `INSERT INTO context (principal, agent_id, id, upstream_context_id) SELECT principal, agent_id, context_id, 'as-ever' FROM task
       WHERE id = $1`,
      [id],
    );
    says('completed', 'up-asks');
    await say({ taskId: id, contextId });
    says('completed');
    await say({ contextId });
    expect(heard().slice(1)).toEqual(['as-ever', 'as-ever']);
  });
});

test('a list holds what runs beside what is over, the latest first, page by page', async () => {
  const contextId = newUuid();
  const list = async (filter: object): Promise<{ tasks: Found[]; nextPageToken: string; totalSize: number }> =>
    (await rpc(line, 'ListTasks', { contextId, ...filter })).body.result as never;
  const first = await say({ contextId });
  says('working');
  const runs = await say({ contextId }, { blocking: false });
  const working = async (): Promise<boolean> => (await list({ status: 'TASK_STATE_WORKING' })).tasks[0]?.id === runs.id;
  await waitFor(working, { what: 'the task that runs' });
  says('input-required');
  const asks = await say({ contextId });
  const found: string[] = [];
  for (let pageToken: string | undefined; ; ) {
    const page = await list({ pageSize: 1, ...(pageToken && { pageToken }) });
    expect(page.totalSize).toBe(3);
    found.push(...page.tasks.map(({ id }) => id));
    pageToken = page.nextPageToken || undefined;
    if (!pageToken) break;
  }
  expect(found).toEqual([asks.id, runs.id, first.id]);
  expect(await working()).toBe(true);
  expect((await list({ status: 'TASK_STATE_COMPLETED' })).tasks).toMatchObject([{ id: first.id }]);
});
