import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pruneAgentCalls } from '@/lib/observability';
import { maintainPartitions } from '@/lib/platform/db/partitions';
import { closePool } from '@/lib/platform/db/sql';
import { DAY_MS } from '@/lib/platform/time';
import { fileDatabase } from '../support/database';
import { query } from '../support/sql';

beforeAll(async () => {
  await fileDatabase();
});
afterAll(closePool);
beforeEach(async () => {
  await query('test-clear', 'DELETE FROM agent_call');
});

const now = new Date('2031-05-20T10:00:00Z');
const daysFrom = (days: number): Date => new Date(now.getTime() + days * DAY_MS);

async function storeCalls(calls: [id: string, at: Date][]): Promise<void> {
  for (const [id, at] of calls) {
    await query(
      'test-call',
      `INSERT INTO agent_call (id, agent_id, at, ms, method, dialect, request_id) VALUES ($1, 'agt_1', $2, 1, 'm', '1.0', 'r')`,
      [id, at],
    );
  }
}

async function callsIn(): Promise<[id: string, partition: string][]> {
  const rows = await query<{ id: string; partition: string }>(
    'test-calls',
    'SELECT id, tableoid::regclass::text AS partition FROM agent_call ORDER BY id',
  );
  return rows.map(({ id, partition }) => [id, partition]);
}

test('the call log’s partitions exist in advance, and whole days are deleted after the retention time', async () => {
  await storeCalls([
    ['a', new Date('2031-05-12T23:59:59.999Z')],
    ['b', new Date('2031-05-13T00:00:00Z')],
  ]);
  for (const day of [-8, -7]) await maintainPartitions('agent_call', { now: daysFrom(day), cutoff: daysFrom(-30) });
  await Promise.all([pruneAgentCalls(now), pruneAgentCalls(now), pruneAgentCalls(now)]);
  expect(await callsIn()).toEqual([['b', 'agent_call_p20310513']]);
  await storeCalls([
    ['c', now],
    ['d', daysFrom(3)],
  ]);
  expect((await callsIn()).slice(1)).toEqual([
    ['c', 'agent_call_p20310520'],
    ['d', 'agent_call_p20310523'],
  ]);
});

test('a call on a day without a partition is stored, found, and moved to its day’s partition', async () => {
  const at = daysFrom(40);
  await storeCalls([['late', at]]);
  expect(await callsIn()).toEqual([['late', 'agent_call_default']]);
  await maintainPartitions('agent_call', { now: at, cutoff: daysFrom(-7) });
  expect(await callsIn()).toEqual([['late', 'agent_call_p20310629']]);
});

test('an agent keeps its latest calls up to the maximum, separately for successful and failed calls', async () => {
  await query(
    'test-many',
    `INSERT INTO agent_call (id, agent_id, at, ms, method, dialect, request_id, code)
     SELECT n || '-' || coalesce(code, ''), 'agt_busy', $1::timestamptz - n * interval '1 second', 1, 'm', '1.0', 'r', code
     FROM generate_series(1, 10020) n, unnest(ARRAY[NULL, 'upstream_error']) code`,
    [now],
  );
  await query(
    'test-hours',
    `INSERT INTO agent_call_hour VALUES ('agt_busy', date_trunc('hour', $1::timestamptz), 1, 20040)`,
    [now],
  );
  await pruneAgentCalls(now);
  const left = await query<{ code: string | null; count: number; oldest: Date }>(
    'test-left',
    'SELECT code, count(*) AS count, min(at) AS oldest FROM agent_call GROUP BY code ORDER BY code NULLS FIRST',
  );
  expect(left).toEqual(
    [null, 'upstream_error'].map((code) => ({ code, count: 10_000, oldest: new Date(now.getTime() - 10_000_000) })),
  );
});

test('hourly counts and callers are deleted after the retention time for figures, in whole hours', async () => {
  const hours = [daysFrom(-62 - 1 / 24), daysFrom(-62), daysFrom(-1)].map((at) => at.toISOString());
  const stored = "SELECT 'agt_hours', date_trunc('hour', at, 'UTC')";
  const from = 'FROM unnest($1::timestamptz[]) at';
  await query('test-call-hours', `INSERT INTO agent_call_hour ${stored}, 1, 5 ${from}`, [hours]);
  await query('test-caller-hours', `INSERT INTO agent_caller_hour ${stored}, 'sub_1' ${from}`, [hours]);
  await pruneAgentCalls(now);
  for (const table of ['agent_call_hour', 'agent_caller_hour']) {
    const left = await query<{ hour: Date }>(
      `test-left-${table}`,
      `SELECT hour FROM ${table} WHERE agent_id = 'agt_hours' ORDER BY hour`,
    );
    expect(
      left.map(({ hour }) => hour.toISOString()),
      table,
    ).toEqual(hours.slice(1));
  }
});
