import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBus, stopBus } from '@/lib/platform/bus';
import { isDatabaseUnavailable } from '@/lib/platform/database-errors';
import { closePipeline, executePipelined } from '@/lib/platform/pipelined-connection';
import { closePool, query } from '@/lib/platform/sql';
import { type CutLine, openLine } from '../fakes/cut-line';
import { fileDatabase } from '../support/database';

let way: CutLine;

beforeAll(async () => {
  const { url } = await fileDatabase();
  way = await openLine(url);
  process.env.DATABASE_URL = way.via(url);
  await startBus();
  await query('test-table', 'CREATE TABLE IF NOT EXISTS written (id int PRIMARY KEY, text text)');
});
afterAll(async () => {
  await closePipeline();
  await stopBus();
  await closePool();
  await way.cut();
});

const write = (id: number, text: string | null = 'x'): Parameters<typeof executePipelined>[0][number] => ({
  name: 'write',
  text: 'INSERT INTO written VALUES ($1, $2) RETURNING id, text',
  values: [String(id), text],
});
const count = async (): Promise<number> => (await query('count', 'SELECT id FROM written')).length;

test('gives the rows of each statement, as texts', async () => {
  const all = { name: 'all', text: 'SELECT id, text FROM written ORDER BY id', values: [] };
  expect(await executePipelined([write(1), write(2, null), all, write(3)])).toMatchObject([
    [['1', 'x']],
    [['2', null]],
    [
      ['1', 'x'],
      ['2', null],
    ],
    [['3', 'x']],
  ]);
});

test('is one commit: what fails undoes all of it, and the connection goes on', async () => {
  const before = await count();
  await expect(executePipelined([write(10), write(1), write(11)])).rejects.toMatchObject({ code: '23505' });
  expect(await count()).toBe(before);
  // What was prepared for the first time in a try that failed is prepared anew.
  const bad = { name: 'odd', text: 'SELECT 1 / $1::int', values: ['0'] };
  await expect(executePipelined([bad, write(12)])).rejects.toMatchObject({ code: '22012' });
  expect(await executePipelined([{ ...bad, values: ['1'] }])).toMatchObject([[['1']]]);
});

test('several at once wait for each other', async () => {
  const rows = await Promise.all([20, 21, 22].map((id) => executePipelined([write(id)])));
  expect(rows.map(([found]) => found)).toEqual([20, 21, 22].map((id) => [[String(id), 'x']]));
});

test('what was sent behind statements that fail is carried out all the same', async () => {
  const taken = executePipelined([write(1)]);
  const next = executePipelined([write(50)]);
  await expect(taken).rejects.toMatchObject({ code: '23505' });
  expect(await next).toMatchObject([[['50', 'x']]]);
});

test('a statement that was to be prepared by ones that fail is prepared by the next ones', async () => {
  const late = { name: 'late', text: 'SELECT 1 + $1::int', values: ['1'] };
  const failing = { name: 'odd', text: 'SELECT 1 / $1::int', values: ['0'] };
  const failed = executePipelined([failing, late]);
  const next = executePipelined([late]);
  await expect(failed).rejects.toMatchObject({ code: '22012' });
  expect(await next).toMatchObject([[['2']]]);
});

test('connects anew when the connection was lost; what was under way then is told as lost', async () => {
  const [[[own] = []] = []] = await executePipelined([{ name: 'own', text: 'SELECT pg_backend_pid()', values: [] }]);
  const sleeping = executePipelined([{ name: 'sleep', text: 'SELECT pg_sleep(30)', values: [] }]);
  const behind = executePipelined([write(29)]);
  const lost = [sleeping, behind].map((each) => expect(each).rejects.toSatisfy(isDatabaseUnavailable));
  await query('kill', 'SELECT pg_terminate_backend($1::int)', [own]);
  await Promise.all(lost);
  expect(await executePipelined([write(30)])).toMatchObject([[['30', 'x']]]);
});

test('does not wait for a database that is gone without a word, and goes on when it is there again', async () => {
  for (const word of ['enable_hashjoin', 'LISTEN parley']) way.deafen(word);
  await expect(executePipelined([write(40)])).rejects.toSatisfy(isDatabaseUnavailable);
  expect(await executePipelined([write(41)])).toMatchObject([[['41', 'x']]]);
});
