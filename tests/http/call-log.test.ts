import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countMissingCalls, flushAgentCalls, recordAgentCall } from '@/lib/observability';
import { newId } from '@/lib/platform/ids';
import { HOUR_MS } from '@/lib/platform/time';
import { useTestDatabase } from '../support/database';
import { query } from '../support/sql';

useTestDatabase();

const at = new Date();
type Call = Parameters<typeof recordAgentCall>[0];

function call(agentId: string, changes: Partial<Call> = {}): Call {
  const requestId = newId('req');
  const known = { at, ms: 20, method: 'message/send', dialect: '1.0 JSONRPC', caller: 'person', taskId: '' };
  return { ...known, agentId, requestId, failure: null, exchange: null, ...changes };
}

const failure = { code: 'agent_timeout', message: 'too late' };

function record(count: number, make: (index: number) => Call): void {
  for (let index = 0; index < count; index++) recordAgentCall(make(index));
}

/** Rows in the log, calls counted in the hours, and how many of these the log lacks. */
async function stored(agentId: string): Promise<{ rows: number; counted: number; missing: number }> {
  const [rows] = await query<{ n: number }>('test-rows', 'SELECT count(*)::int n FROM agent_call WHERE agent_id = $1', [
    agentId,
  ]);
  const [sums] = await query<{ n: number }>(
    'test-sums',
    'SELECT coalesce(sum(calls), 0)::int n FROM agent_call_hour WHERE agent_id = $1',
    [agentId],
  );
  const missing = await countMissingCalls(agentId, { from: new Date(at.getTime() - HOUR_MS) });
  return { rows: rows?.n ?? -1, counted: sums?.n ?? -1, missing };
}

const complete = (count: number): object => ({ rows: count, counted: count, missing: 0 });

const realNow = performance.now.bind(performance);
let aheadMs = 0;
let agents: string[];
beforeEach(() => {
  // The log has room for a whole burst again 4 s after the last one.
  aheadMs += 5_000;
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + aheadMs);
  agents = Array.from({ length: 5 }, () => newId('agt'));
});
afterEach(async () => {
  await query('test-restore', 'ALTER TABLE IF EXISTS agent_call_away RENAME TO agent_call');
});

test('the call log contains all of 5,000 concurrent calls', async () => {
  record(5_000, (index) => call(agents[index % 5] ?? ''));
  await flushAgentCalls();
  for (const agent of agents) expect(await stored(agent)).toEqual(complete(1_000));
});

test('the call log counts all of 50,000 concurrent calls, and states how many its fair sample omits', async () => {
  const [busiest = '', busy = '', quiet = '', failing = ''] = agents;
  record(50_000, (index) => {
    const turn = index % 100;
    if (turn === 0) return call(quiet);
    if (turn === 1) return call(failing, { failure });
    return call(turn < 30 ? busy : busiest, { ms: index });
  });
  await flushAgentCalls();
  const found = await Promise.all([busiest, busy, quiet, failing].map(stored));
  expect(found.map(({ counted }) => counted)).toEqual([35_000, 14_000, 500, 500]);
  for (const { rows, counted, missing } of found) expect(rows + missing).toBe(counted);
  const rows = found.map((one) => one.rows);
  expect(rows.slice(2)).toEqual([500, 500]);
  // The busiest agent has no more in the log than the other one, apart from what arrived after the last cut.
  expect((rows[0] ?? 0) / (rows[1] ?? 0)).toBeLessThan(1.3);
  expect(rows.reduce((sum, count) => sum + count)).toBeGreaterThan(17_000);
  const quarters = await query<{ n: number }>(
    'test-quarters',
    'SELECT count(*)::int n FROM agent_call WHERE agent_id = $1 GROUP BY ms / 12500 ORDER BY ms / 12500',
    [busiest],
  );
  const even = (rows[0] ?? 0) / 4;
  for (const { n } of quarters) expect(Math.abs(n - even)).toBeLessThan(even / 5);
});

test('calls that cannot be written immediately are written once, later', async () => {
  const [agent = ''] = agents;
  await query('test-away', 'ALTER TABLE agent_call RENAME TO agent_call_away');
  record(500, () => call(agent));
  await flushAgentCalls();
  record(500, (index) => call(agent, { ms: index, caller: `person ${index}` }));
  await flushAgentCalls();
  await query('test-back', 'ALTER TABLE agent_call_away RENAME TO agent_call');
  await flushAgentCalls();
  await flushAgentCalls();
  expect(await stored(agent)).toEqual(complete(1_000));
});

test('a reader receives calls that were recorded during an earlier flush', async () => {
  const [agent = ''] = agents;
  record(2_000, () => call(agent));
  const first = flushAgentCalls();
  record(10, () => call(agent));
  await Promise.all([flushAgentCalls(), flushAgentCalls()]);
  expect(await stored(agent)).toEqual(complete(2_010));
  await first;
});

test('a batch of calls counts once, even if its first write was not confirmed', async () => {
  const [agent = ''] = agents;
  const { insertAgentCalls } = await import('@/lib/observability/store/agent-call-rows');
  const hour = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
  const batch = {
    calls: [{ ...call(agent), id: newId('call') }],
    missing: [{ agentId: agent, hour, bucket: 1, calls: 3 }],
    callers: [{ agentId: agent, hour, caller: 'person' }],
  };
  await insertAgentCalls(batch);
  await insertAgentCalls(batch);
  expect(await stored(agent)).toEqual({ rows: 1, counted: 4, missing: 3 });
});
