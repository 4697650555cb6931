import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Columns, closePool, encodeArray, encodeParams, selectUnnest } from '@/lib/platform/db/sql';
import { fileDatabase } from '../support/database';
import { query } from '../support/sql';

beforeAll(async () => {
  await fileDatabase();
});
afterAll(closePool);

const texts = [
  '',
  ' ',
  'NULL',
  'null',
  '{}',
  'a,b',
  '"',
  '\\',
  '\\"',
  '{"a":"\\n\\\\"}',
  "'; --",
  'ä😀',
  '\n\t',
  null,
  '1',
];

test('PostgreSQL reads an array as it was written, whatever its text', async () => {
  expect(await query('test-texts', 'SELECT t FROM unnest($1::text[]) AS t', [encodeArray(texts)])).toEqual(
    texts.map((t) => ({ t })),
  );
  expect(await query('test-empty', 'SELECT t FROM unnest($1::text[]) AS t', [encodeArray([])])).toEqual([]);
});

test('rows from SQL are returned unchanged, individually and in batches', async () => {
  const columns: Columns = { a: 'text', b: 'int', c: 'json', d: 'timestamptz', e: 'uuid' };
  const id = '0b1f6a52-5a0e-4f0e-9a56-0d9a3f6f7f11';
  const rows = [
    ['{"x"}', 1, '{"y":"\\"\\\\"}', '2030-01-01T00:00:00.000Z', id],
    [null, null, null, null, null],
    ['\\', -2, '[1,"{"]', '1999-12-31T23:59:59.999Z', id],
  ];
  const asRead = rows.map(([a, b, c, d, e]) => ({
    a,
    b,
    c: c && JSON.parse(String(c)),
    d: d && new Date(String(d)),
    e,
  }));
  expect(await query('test-many', selectUnnest(columns, true), encodeParams(columns, rows))).toEqual(asRead);
  expect(await query('test-one', selectUnnest(columns, false), encodeParams(columns, rows.slice(0, 1)))).toEqual(
    asRead.slice(0, 1),
  );
});
