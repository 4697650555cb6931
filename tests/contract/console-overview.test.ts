import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Overview } from '@/lib/console/schema-agents';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { connectTo, createPerson, listAgent, message03, type Person, rpc, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';

let parley: SharedParley;
let agent: ScriptedAgent;
let others: ScriptedAgent;
let owner: Person;
let eve: Person;
let slug: string;
let foreignSlug: string;

beforeAll(async () => {
  parley = await sharedParley();
  owner = await createPerson(parley.url, 'Olga');
  eve = await createPerson(parley.url, 'Eve');
  agent = await ScriptedAgent.start({ name: 'Figured' });
  others = await ScriptedAgent.start({ name: 'Foreign' });
  slug = await listAgent(parley.url, owner, { url: agent.url });
  foreignSlug = await listAgent(parley.url, eve, { url: others.url });
});

afterAll(async () => {
  await agent?.stop();
  await others?.stop();
});

const ask = (search: string, by: Person | null = owner): Promise<Response> =>
  send(`${parley.url}/api/console/overview${search}`, { bearer: by?.accessToken });

async function figures(search = '', by = owner): Promise<Overview> {
  const response = await ask(search, by);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Overview;
}

async function idOf(name: string): Promise<string> {
  const [row] = await query<{ id: string }>('test-agent-id', 'SELECT id FROM agent WHERE slug = $1', [name]);
  return row?.id ?? '';
}

/** Adds calls of an hour: `calls` calls of about `ms`, of which `failed` failed, by `users` callers. */
async function addHour(
  name: string,
  {
    hoursAgo,
    calls,
    ms,
    failed,
    users,
  }: { hoursAgo: number; calls: number; ms: number; failed: number; users: number },
): Promise<void> {
  const bucket = 1 + Math.floor(Math.log(ms) / Math.log(1.1));
  const values = [await idOf(name), hoursAgo, bucket, calls, failed, users];
  await query(
    'test-hours',
    `WITH h AS (SELECT date_trunc('hour', now(), 'UTC') - $2::int * interval '1 hour' AS hour), callers AS (
       INSERT INTO agent_caller_hour (agent_id, hour, caller)
       SELECT $1, hour, 'caller' || n FROM h, generate_series(1, $6::int) AS n)
     INSERT INTO agent_call_hour (agent_id, hour, bucket, calls)
     SELECT $1, hour, b.bucket, b.calls FROM h, (VALUES ($3::int, $4::int), (0, $5::int)) AS b(bucket, calls) WHERE b.calls > 0`,
    values,
  );
}

describe('the console’s figures', () => {
  beforeAll(async () => {
    await addHour(slug, { hoursAgo: 3, calls: 90, ms: 200, failed: 10, users: 7 });
    await addHour(slug, { hoursAgo: 26, calls: 50, ms: 400, failed: 0, users: 5 });
    await addHour(slug, { hoursAgo: 24 * 9, calls: 30, ms: 800, failed: 10, users: 3 });
    await addHour(slug, { hoursAgo: 24 * 45, calls: 20, ms: 800, failed: 0, users: 2 });
    await addHour(foreignSlug, { hoursAgo: 3, calls: 9_999, ms: 9_000, failed: 999, users: 99 });
  });

  test.each([
    { range: '24h', current: [100, 10, 7], previous: [50, 0, 5], slots: 24 },
    { range: '7d', current: [150, 10, 7], previous: [40, 10, 3], slots: 28 },
    { range: '30d', current: [190, 20, 7], previous: [20, 0, 2], slots: 30 },
  ])(
    'cover $range and the previous period, only for the user’s own agents',
    async ({ range, current, previous, slots }) => {
      const counts = ({ calls, failed, users }: Overview['current']): number[] => [calls, failed, users];
      for (const search of [`?range=${range}`, `?range=${range}&agent=${slug}`]) {
        const found = await figures(search);
        expect([counts(found.current), counts(found.previous)]).toEqual([current, previous]);
        expect(found.current.success).toBeCloseTo((found.current.calls - found.current.failed) / found.current.calls);
        expect(found.points).toHaveLength(slots);
        expect(found.points.reduce((sum, { calls }) => sum + calls, 0)).toBe(found.current.calls);
      }
    },
  );

  test('show the 95th percentile duration of successful calls, accurate to 5 %', async () => {
    const { current, previous } = await figures('?range=24h');
    expect(Math.abs((current.p95Ms ?? 0) - 200)).toBeLessThanOrEqual(10);
    expect(Math.abs((previous.p95Ms ?? 0) - 400)).toBeLessThanOrEqual(20);
  });

  test('cover seven days by default', async () => {
    expect(await figures()).toMatchObject({ range: '7d', current: { calls: 150 } });
  });

  test('count each new call, which can be found by its task', async () => {
    const before = await figures('?range=24h');
    agent.answer(({ result, end }) => {
      result(agent03.status('up', 'completed'));
      end();
    });
    await rpc(await connectTo(parley.url, eve, slug), 'message/send', message03('count me'));
    const after = await figures('?range=24h');
    expect(after.current.calls).toBe(before.current.calls + 1);
    expect(after.current.users).toBe(before.current.users + 1);
    const [task] = await query<{ id: string }>(
      'test-task',
      'SELECT id::text AS id FROM task WHERE agent_id = $1 ORDER BY created_at DESC LIMIT 1',
      [await idOf(slug)],
    );
    const response = await send(`${parley.url}/api/agents/${slug}/calls?q=${task?.id}`, { bearer: owner.accessToken });
    expect(await response.json()).toMatchObject({ total: 1, items: [{ taskId: task?.id, failure: null }] });
  });

  test('hide sales from team members other than the owner, and omit the owner’s other agents', async () => {
    const invited = await send(`${parley.url}/api/agents/${slug}/invitations`, {
      body: { email: eve.email, role: 'viewer' },
      cookie: owner.cookie,
      origin: parley.url,
    });
    const { url } = (await invited.json()) as { url: string };
    const body = { token: url.split('/').pop() };
    const joined = await send(`${parley.url}/api/invitations/accept`, {
      body,
      cookie: eve.cookie,
      origin: parley.url,
    });
    expect(joined.status).toBe(200);
    expect((await figures(`?agent=${slug}`, eve)).sales).toBeNull();
    expect((await figures(`?agent=${slug}`)).sales).not.toBeNull();
    const [own, shared, all] = await Promise.all([
      figures(`?agent=${foreignSlug}`, eve),
      figures(`?agent=${slug}`, eve),
      figures('', eve),
    ]);
    expect(all.current.calls).toBe(own.current.calls + shared.current.calls);
  });
});

describe('the console’s sales', () => {
  beforeAll(async () => {
    for (const [name, captured, hoursAgo] of [
      [slug, 1_550, 2],
      [slug, 450, 3],
      [slug, 700, 24 * 9],
      [slug, 0, 2],
      [foreignSlug, 99_900, 2],
    ] as const) {
      await query(
        'test-sale',
        `INSERT INTO payment_order (id, user_id, agent_id, task_id, context_id, source_kind, source_id, source_part, cart_text,
           cart_hash, currency, state, amount, authorized, captured, merchant_order_id, created_at, updated_at)
         SELECT 'ord_' || left(md5(random()::text), 20), 'usr_buyer', $1, gen_random_uuid(), gen_random_uuid(), 'message', 'm', 0,
           '', '', 'EUR', 'captured', $2::int, $2::int, $2::int, 'shop-' || $2, now() - $3::int * interval '1 hour', now()`,
        [await idOf(name), captured, hoursAgo],
      );
    }
  });

  test('count payments to the user’s own agents by currency, in this period and the previous one', async () => {
    for (const search of ['', `?agent=${slug}`]) {
      const { sales } = await figures(search);
      expect(sales?.current).toEqual([{ currency: 'EUR', test: false, gross: 2_000, count: 2 }]);
      expect(sales?.previous).toEqual([{ currency: 'EUR', test: false, gross: 700, count: 1 }]);
      expect(sales?.points.reduce((sum, count) => sum + count, 0)).toBe(2);
    }
  });

  test('can be found by the merchant’s order number, but not by other users', async () => {
    const found = async (q: string): Promise<unknown[]> => {
      const response = await send(`${parley.url}/api/sales?q=${q}`, { bearer: owner.accessToken });
      return ((await response.json()) as { items: unknown[] }).items;
    };
    expect(await found('shop-450')).toMatchObject([{ gross: 450, merchantOrderId: 'shop-450' }]);
    expect(await found('shop-99900')).toEqual([]);
    expect((await send(`${parley.url}/api/sales?q=%00`, { bearer: owner.accessToken })).status).toBe(400);
  });
});

describe('a request for console figures is rejected', () => {
  test.each(['?range=1h', '?range=', '?range=24h;', '?agent=', '?agent=%00', `?agent=${'x'.repeat(101)}`])(
    'for the query %s',
    async (search) => {
      const response = await ask(search);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'invalid_request' });
    },
  );

  test('for other users’ agents, unknown agents and hostile names, with the same response', async () => {
    for (const name of [foreignSlug, 'no-such-agent', '../../etc', "' OR 1=1 --"]) {
      const response = await ask(`?agent=${encodeURIComponent(name)}`);
      expect(response.status, name).toBe(404);
    }
  });

  test('if it has no credentials', async () => {
    expect((await ask('', null)).status).toBe(401);
  });
});
