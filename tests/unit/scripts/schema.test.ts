import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentStatusSchema, visibilitySchema } from '@/lib/catalog/schema';
import { caseStates } from '@/lib/moderation/schema';
import { refundSchema, topUpResultSchema } from '@/lib/payments/schema';
import { ORDER_STATES } from '@/lib/payments/schema-states';
import { OWNER_COLUMNS } from '@/lib/platform/db/task-databases/owner-rows';
import { buildIndexes } from '../../../scripts/concurrent-indexes.mjs';
import { migrate } from '../../../scripts/migrate.mjs';
import { createEmptyDatabase, type TestDatabase } from '../../support/database';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  await migrate(database.url);
  await buildIndexes(database.url, { print: () => undefined });
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

test('the migrated database equals the Prisma schema', async () => {
  const command = ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema', '--script'];
  const { stdout } = await promisify(execFile)(process.execPath, ['node_modules/prisma/build/index.js', ...command], {
    env: { ...process.env, DATABASE_URL: database.url },
  });
  expect(stdout.trim()).toBe('-- This is an empty migration.');
}, 60_000);

test('prisma/indexes.sql lists every index that the Prisma schema cannot express', async () => {
  const { rows } = await client.query<{ sql: string }>(
    `SELECT replace(pg_get_indexdef(indexrelid), ' public.', ' ') AS sql FROM pg_index i
     JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
     WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
       AND (indpred IS NOT NULL OR indexprs IS NOT NULL OR m.amname <> 'btree')
     ORDER BY c.relname`,
  );
  const listed = readFileSync('prisma/indexes.sql', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('CREATE'));
  expect(listed).toEqual(rows.map(({ sql }) => `${sql};`));
});

test('every unique key of a table of owners begins with the owner, and no constraint of it refers to another table', async () => {
  const { rows } = await client.query<{ table: string; first: string }>(
    `SELECT indrelid::regclass::text AS "table", a.attname::text AS first FROM pg_index i
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
     WHERE i.indisunique AND i.indrelid = ANY($1::regclass[])`,
    [Object.keys(OWNER_COLUMNS)],
  );
  const keys = new Map(rows.map(({ table, first }) => [table, first]));
  expect(rows.filter(({ table, first }) => first !== OWNER_COLUMNS[table as keyof typeof OWNER_COLUMNS])).toEqual([]);
  expect(Object.fromEntries(keys)).toEqual(OWNER_COLUMNS);
  const references = await client.query(
    "SELECT conname FROM pg_constraint WHERE contype = 'f' AND (conrelid = ANY($1::regclass[]) OR confrelid = ANY($1::regclass[]))",
    [Object.keys(OWNER_COLUMNS)],
  );
  expect(references.rows).toEqual([]);
});

test.each([
  ['agent', 'status', agentStatusSchema.options],
  ['agent', 'visibility', visibilitySchema.options],
  ['moderation_case', 'state', caseStates],
  ['moderation_step', 'state', caseStates],
  ['payment_order', 'state', ORDER_STATES],
  ['payment_order_step', 'state', ORDER_STATES],
  ['payment_refund', 'state', refundSchema.shape.state.options],
  ['wallet_top_up', 'state', topUpResultSchema.shape.state.options],
])('the column %s.%s accepts exactly the states in the code', async (table, column, states) => {
  const { rows } = await client.query<{ definition: string; valid: boolean }>(
    'SELECT pg_get_constraintdef(oid) AS definition, convalidated AS valid FROM pg_constraint WHERE conname = $1',
    [`${table}_${column}_check`],
  );
  expect(rows).toEqual([{ definition: expect.any(String), valid: true }]);
  const accepted = [...(rows[0]?.definition.matchAll(/'([^']+)'/g) ?? [])].map(([, state]) => state);
  expect(accepted.sort()).toEqual([...states].sort());
});
