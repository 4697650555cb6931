import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBus, stopBus } from '@/lib/platform/bus';
import { isDatabaseUnavailable } from '@/lib/platform/db/database-errors';
import { closePipeline, executePipelined, type Statement } from '@/lib/platform/db/pipelined-statements';
import { closePool } from '@/lib/platform/db/sql';
import { mainTaskDatabase } from '@/lib/platform/db/task-databases/task-databases';
import { type ConnectionCutter, openConnectionCutter } from '../fakes/connection-cutter';
import { fileDatabase } from '../support/database';
import { query } from '../support/sql';

let connection: ConnectionCutter;

beforeAll(async () => {
  const { url } = await fileDatabase();
  connection = await openConnectionCutter(url);
  process.env.DATABASE_URL = connection.via(url);
  await startBus();
  await query('test-table', 'CREATE TABLE IF NOT EXISTS written (id int PRIMARY KEY, text text)');
});
afterAll(async () => {
  await closePipeline();
  await stopBus();
  await closePool();
  await connection.cut();
});

const write = (id: number, text: string | null = 'x'): Statement => ({
  name: 'write',
  text: 'INSERT INTO written VALUES ($1, $2) RETURNING id, text',
  values: [String(id), text],
});
const runPipelined = (statements: Statement[]): ReturnType<typeof executePipelined> =>
  executePipelined(mainTaskDatabase, statements);
const count = async (): Promise<number> => (await query('count', 'SELECT id FROM written')).length;

test('a pipeline returns the rows from each statement as text', async () => {
  const all = { name: 'all', text: 'SELECT id, text FROM written ORDER BY id', values: [] };
  expect(await runPipelined([write(1), write(2, null), all, write(3)])).toMatchObject([
    [['1', 'x']],
    [['2', null]],
    [
      ['1', 'x'],
      ['2', null],
    ],
    [['3', 'x']],
  ]);
});

test('a pipeline is one commit: a failure rolls all statements back, and the connection stays usable', async () => {
  const before = await count();
  await expect(runPipelined([write(10), write(1), write(11)])).rejects.toMatchObject({ code: '23505' });
  expect(await count()).toBe(before);
  // A statement first prepared in a failed attempt is prepared again.
  const bad = { name: 'odd', text: 'SELECT 1 / $1::int', values: ['0'] };
  await expect(runPipelined([bad, write(12)])).rejects.toMatchObject({ code: '22012' });
  expect(await runPipelined([{ ...bad, values: ['1'] }])).toMatchObject([[['1']]]);
});

test('concurrent pipelines are queued', async () => {
  const rows = await Promise.all([20, 21, 22].map((id) => runPipelined([write(id)])));
  expect(rows.map(([found]) => found)).toEqual([20, 21, 22].map((id) => [[String(id), 'x']]));
});

test('statements sent after failed statements are still executed', async () => {
  const taken = runPipelined([write(1)]);
  const next = runPipelined([write(50)]);
  await expect(taken).rejects.toMatchObject({ code: '23505' });
  expect(await next).toMatchObject([[['50', 'x']]]);
});

test('a statement that was skipped after an error is prepared when it is sent again', async () => {
  const late = { name: 'late', text: 'SELECT 1 + $1::int', values: ['1'] };
  const failing = { name: 'odd', text: 'SELECT 1 / $1::int', values: ['0'] };
  const failed = runPipelined([failing, late]);
  const next = runPipelined([late]);
  await expect(failed).rejects.toMatchObject({ code: '22012' });
  expect(await next).toMatchObject([[['2']]]);
});

test('a pipeline reconnects after a lost connection, and reports statements in transit as lost', async () => {
  const [[[own] = []] = []] = await runPipelined([{ name: 'own', text: 'SELECT pg_backend_pid()', values: [] }]);
  const sleeping = runPipelined([{ name: 'sleep', text: 'SELECT pg_sleep(30)', values: [] }]);
  const behind = runPipelined([write(29)]);
  const lost = [sleeping, behind].map((each) => expect(each).rejects.toSatisfy(isDatabaseUnavailable));
  await query('kill', 'SELECT pg_terminate_backend($1::int)', [own]);
  await Promise.all(lost);
  expect(await runPipelined([write(30)])).toMatchObject([[['30', 'x']]]);
});

test('a pipeline does not wait for an unreachable database, and continues once it is available again', async () => {
  for (const word of ['enable_hashjoin', 'LISTEN parley']) connection.closeServerEnd(word);
  await expect(runPipelined([write(40)])).rejects.toSatisfy(isDatabaseUnavailable);
  expect(await runPipelined([write(41)])).toMatchObject([[['41', 'x']]]);
});
