import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { OWNER_COLUMNS } from '@/lib/platform/db/task-databases/owner-rows';
import { ownedTables } from '../../support/owned-tables';
import { findMisdirected } from './misdirected-statements';
import { findWithoutOwner } from './statements-without-owner';

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('generated'))
    .map((name) => path.join(folder, name));
}

const tables = new Set(
  readdirSync('prisma/schema').flatMap((name) =>
    [...readFileSync(path.join('prisma/schema', name), 'utf8').matchAll(/@@map\("(\w+)"\)/g)].map(([, table]) => table),
  ),
);

/** Returns the tables that a statement, or a part of one, reads or writes. */
function tablesOf(sql: string): string[] {
  const named = [...sql.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(?:ONLY\s+)?"?([a-z_]+)"?/g)].map(
    ([, name]) => name,
  );
  const found = named.flatMap((name) => (name && tables.has(name) ? [name] : []));
  return sql.includes('allTasksSql') ? [...found, 'task'] : found;
}

test('no statement reads or writes both the tables of an owner and others', () => {
  const mixed: string[] = [];
  let statements = 0;
  for (const file of sources('lib')) {
    for (const [sql] of readFileSync(file, 'utf8').matchAll(/`[^`]*`|'[^'\n]*'/g)) {
      const used = tablesOf(sql);
      if (used.some((name) => ownedTables.has(name))) statements += 1;
      if (used.some((name) => ownedTables.has(name)) && used.some((name) => !ownedTables.has(name))) {
        mixed.push(`${file}: ${sql}`);
      }
    }
  }
  expect(statements).toBeGreaterThan(150);
  expect(mixed).toEqual([]);
});

const isOwnedStatement = (sql: string): boolean => tablesOf(sql).some((name) => ownedTables.has(name));

test('every statement about the rows of an owner selects a task database', () => {
  const files = sources('lib')
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => /sql|query|execute|selectDue/i.test(text));
  expect(findMisdirected(files, isOwnedStatement)).toEqual([]);
});

test.each([
  "userRow.query('users', 'SELECT id FROM conversation')",
  "taskRow.queryFirst('task', `SELECT id FROM task WHERE id = $1`, [id])",
  "execute('delete', 'DELETE FROM hub_run')",
  "pool().query('SELECT FROM chain')",
  'taskRow.queryIn(db(), Prisma.sql`SELECT id FROM task`)',
  "selectDue('next', 'SELECT min(due_at) AS due FROM pending_cancel')",
  "const sql = 'SELECT id FROM task';\ntaskRow.query('tasks', sql)",
  "const from = 'FROM task';\nconst sqlOf = (id: string) => 'SELECT ' + id + from;\ntaskRow.query('tasks', sqlOf('id'))",
])('a statement about the rows of an owner that selects no database is found: %s', (text) => {
  expect(findMisdirected([{ file: 'lib/rows.ts', text }], isOwnedStatement)).toHaveLength(1);
});

test('a statement is found by an imported name', () => {
  const files = [
    { file: 'lib/tasks/records.ts', text: "export const allTasks = '(SELECT * FROM task)';" },
    {
      file: 'lib/tasks/rows.ts',
      text: "import { allTasks } from './records';\ntaskRow.query('tasks', 'SELECT id FROM ' + allTasks)",
    },
  ];
  expect(findMisdirected(files, isOwnedStatement)).toHaveLength(1);
});

test.each([
  "taskRow.of(principal).query('tasks', 'SELECT id FROM task')",
  "const tasks = taskRow.of(principal);\ntasks.query('tasks', 'SELECT id FROM task')",
  "ofOwner(principal).execute('delete', 'DELETE FROM hub_run')",
  'taskRow.queryIn(tx, Prisma.sql`SELECT id FROM task`)',
  "agentRow.query('agents', 'SELECT id FROM agent')",
  "function a() { const sql = 'SELECT id FROM task'; }\nfunction b(sql: string) { return agentRow.query('agents', sql); }",
])('a statement that selects a database, or reads other tables, is not found: %s', (text) => {
  expect(findMisdirected([{ file: 'lib/rows.ts', text }], isOwnedStatement)).toEqual([]);
});

test('every statement about the rows of an owner gives the owner, or is sent to all owners of a database', () => {
  const files = sources('lib').map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  expect(findWithoutOwner(files)).toEqual([]);
}, 60_000);

test.each([
  "taskRow.of(principal).query('tasks', 'SELECT id FROM task WHERE id = $1')",
  "taskRow.of(principal).query('tasks', 'SELECT t.principal FROM task t WHERE t.id = $1')",
  "ofOwner(principal).execute('delete', 'DELETE FROM hub_run h USING task t WHERE t.principal = $1 AND t.id = h.task_id')",
  "ofOwner(principal).execute('insert', 'INSERT INTO task_event (task_id) SELECT id FROM task WHERE principal = $1')",
  "taskRow.of(principal).query('tasks', `SELECT id FROM task t WHERE t.principal = $1 AND EXISTS (SELECT FROM chain_task d WHERE d.task_id = t.id)`)",
  `const rows = (where: string) => 'FROM push_config c WHERE c.id = $1';
   taskRow.of(principal).query('tasks', \`SELECT id \${rows('')}\`)`,
  "const text = 'SELECT id FROM task';\ntaskRow.inEach().query('a', text);\ntaskRow.of(principal).query('b', text)",
])('a statement that does not give the owner is found: %s', (text) => {
  expect(findWithoutOwner([{ file: 'lib/rows.ts', text }])).toHaveLength(1);
});

test.each([
  "taskRow.of(principal).query('tasks', 'SELECT id FROM task WHERE principal = $1 AND id = $2')",
  "taskRow.inAvailable().query('claim', 'UPDATE task SET run_node = $1 WHERE run_node = $2')",
  "const text = 'DELETE FROM hub_run WHERE due_at < $1';\ninAvailableTaskDatabases.execute('expire', text)",
  "ofOwner(principal).execute('insert', 'INSERT INTO task_event (principal, task_id) VALUES ($1, $2)')",
  `const same = 'WHERE c.principal = $1';
   taskRow.of(principal).query('tasks', \`SELECT id FROM push_config c \${same}\`)`,
])('a statement that gives the owner, or is sent to all, is not found: %s', (text) => {
  expect(findWithoutOwner([{ file: 'lib/rows.ts', text }])).toEqual([]);
});

test('a copy of an owner’s rows includes every table of owners except those about the database', () => {
  const aboutDatabase = ['arrived_owner', 'leaving_owner', 'retention_cursor'];
  expect(new Set([...Object.keys(OWNER_COLUMNS), ...aboutDatabase])).toEqual(ownedTables);
});
