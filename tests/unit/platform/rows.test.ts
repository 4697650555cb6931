import { expect, test } from 'vitest';
import { Prisma } from '@/lib/generated/prisma/client';
import { subscribe } from '@/lib/platform/bus';
import { db } from '@/lib/platform/db/db';
import { bool, int4, int8, json, nullable, row, text, textArray, timestamptz, uuid } from '@/lib/platform/db/rows';
import { execute, executeIn } from '@/lib/platform/db/sql';
import { inTransaction, lockName, lockRow, publishAtCommit } from '@/lib/platform/db/tx';
import { useTestDatabase } from '../../support/database';

useTestDatabase();

const values = `SELECT 'a' AS name, 1 AS count, 2::bigint AS total, true AS ok, now() AS at, '{"n":1}'::jsonb AS data,
  ARRAY['x'] AS tags, gen_random_uuid() AS id, NULL::text AS note`;
const valueRow = row({
  name: text(),
  count: int4(),
  total: int8(),
  ok: bool(),
  at: timestamptz(),
  data: json<{ n: number }>(),
  tags: textArray(),
  id: uuid(),
  note: nullable(text()),
});

test('a query returns rows with the declared columns', async () => {
  const found = await valueRow.queryFirst('test-values', values);
  expect(found).toMatchObject({ name: 'a', count: 1, total: 2, ok: true, data: { n: 1 }, tags: ['x'], note: null });
  expect(found?.at).toBeInstanceOf(Date);
  expect(await valueRow.queryUnprepared(values, [])).toHaveLength(1);
});

const idRow = row({ id: text(), seq: int4() });

test.each([
  { statement: "SELECT 'a' AS uid, 1 AS seq", problem: 'column uid is not declared; column id is missing' },
  { statement: "SELECT 'a' AS id, 1::bigint AS seq", problem: 'column seq is int8 instead of int4' },
  { statement: "SELECT 'a' AS id", problem: 'column seq is missing' },
  { statement: "SELECT 'a' AS id, 1 AS seq, 2 AS more", problem: 'column more is not declared' },
])('a query rejects $statement every time, even for an empty result', async ({ statement, problem }) => {
  for (const attempt of [1, 2]) {
    await expect(idRow.query(problem, `${statement} WHERE false`), `attempt ${attempt}`).rejects.toThrow(
      `the result of ${problem}: ${problem}`,
    );
  }
  await expect(idRow.queryUnprepared(statement, [])).rejects.toThrow(problem);
});

test('a query ignores a column that calls a function for its effect', async () => {
  const statement = "SELECT 'a' AS id, 1 AS seq, pg_notify('test', '') AS _notified";
  expect(await idRow.queryFirst('effect', statement)).toMatchObject({ id: 'a', seq: 1 });
});

test('a Prisma result is checked by its first row', async () => {
  expect(await idRow.queryIn(db(), Prisma.sql`SELECT ${'a'} AS id, 1 AS seq`)).toEqual([{ id: 'a', seq: 1 }]);
  await expect(idRow.queryIn(db(), Prisma.sql`SELECT 'a' AS id, 1::bigint AS seq`)).rejects.toThrow(
    'column seq is a value of type bigint',
  );
  await expect(idRow.queryIn(db(), Prisma.sql`SELECT 'a' AS id`)).rejects.toThrow('column seq is missing');
  await expect(idRow.queryIn(db(), Prisma.sql`SELECT NULL AS id, 1 AS seq`)).rejects.toThrow(
    'column id is a value of type null',
  );
});

test('an update returns the number of rows that it changed or returned', async () => {
  expect(await execute('test-count', 'SELECT 1 FROM generate_series(1, 3)')).toBe(3);
  expect(await executeIn(db(), Prisma.sql`DELETE FROM agent WHERE id = ${'none'}`)).toBe(0);
});

test('a transaction locks rows and names until it ends', async () => {
  await db().publisher.create({ data: { userId: 'usr_1', handle: 'one', createdAt: new Date() } });
  const order: string[] = [];
  let started = (): void => undefined;
  const isLocked = new Promise<void>((resolve) => {
    started = resolve;
  });
  const first = inTransaction(async (tx) => {
    await lockName(tx, 'test');
    await lockRow(tx, 'publisher', { user_id: 'usr_1', handle: 'one' });
    started();
    await new Promise((resolve) => setImmediate(resolve));
    order.push('first');
  });
  await isLocked;
  const second = inTransaction(async (tx) => {
    await lockRow(tx, 'publisher', { user_id: 'usr_1' });
    order.push('second');
  });
  const third = inTransaction((tx) => lockName(tx, 'test').then(() => order.push('third')));
  await Promise.all([first, second, third]);
  expect(order[0]).toBe('first');
});

test('subscribers on this node are notified before a transaction returns, but not if it is rolled back', async () => {
  const keys: string[] = [];
  const unsubscribe = subscribe('credential', '*', (key) => keys.push(key));
  const failed = inTransaction(async (tx) => {
    await publishAtCommit(tx, 'credential', 'rolled-back');
    throw new Error('stop');
  });
  await expect(failed).rejects.toThrow('stop');
  await inTransaction(async (tx) => {
    await publishAtCommit(tx, 'credential', 'one', 'two');
    expect(keys).toEqual([]);
  });
  expect(keys).toEqual(['one', 'two']);
  unsubscribe();
});

test('subscribers on this node are notified if a commit’s result is unknown, because it may have succeeded', async () => {
  await execute(
    'test-deferred',
    'CREATE TABLE test_deferred (id int PRIMARY KEY, parent int REFERENCES test_deferred DEFERRABLE INITIALLY DEFERRED)',
  );
  const keys: string[] = [];
  const unsubscribe = subscribe('credential', '*', (key) => keys.push(key));
  const failed = inTransaction(async (tx) => {
    await publishAtCommit(tx, 'credential', 'uncertain');
    await executeIn(tx, Prisma.sql`INSERT INTO test_deferred VALUES (1, 2)`);
  });
  await expect(failed).rejects.toThrow('ForeignKeyConstraintViolation');
  expect(keys).toEqual(['uncertain']);
  unsubscribe();
});
