import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { classify } from '../../../scripts/migration-kind.mjs';

const kindOf = (sql: string): string => classify({ sql }).kind;
const problemsOf = (sql: string, concurrentSql?: string): string[] => classify({ sql, concurrentSql }).problems;

test.each([
  'CREATE TABLE cat (name text NOT NULL); CREATE INDEX cat_name ON cat (name); ALTER TABLE cat ADD CHECK (name <> $$;$$);',
  'ALTER TABLE task ADD COLUMN note text;',
  "ALTER TABLE task ADD COLUMN note text NOT NULL DEFAULT '', ADD COLUMN price numeric(10, 2) DEFAULT 0 NOT NULL;",
  'ALTER TABLE "task" ALTER COLUMN "note" DROP NOT NULL;',
  'ALTER TABLE task DROP CONSTRAINT task_agent_id_fkey;',
  'ALTER TABLE task ADD COLUMN cat_id text; ALTER TABLE task ADD CONSTRAINT task_cat_fkey FOREIGN KEY (cat_id) REFERENCES cat (id) NOT VALID;',
  'ALTER TABLE task VALIDATE CONSTRAINT task_cat_fkey;',
  "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $body$ DROP TABLE task; $body$; COMMENT ON TABLE task IS 'drop; table';",
  "-- DROP TABLE task;\n/* DROP /* nested */ TABLE task; */ CREATE TYPE mood AS ENUM ('it''s; fine');",
  'CREATE TABLE draft (id int); DROP TABLE draft;',
])('older releases work with %s', (sql) => {
  expect(problemsOf(sql)).toEqual([]);
  expect(kindOf(sql)).toBe('expand');
});

test.each([
  ['DROP TABLE task;', /older releases use the table/],
  ['CREATE TABLE cat (id int); DROP TABLE IF EXISTS cat, task CASCADE;', /older releases use the table/],
  ['ALTER TABLE task DROP COLUMN note;', /older releases use the column/],
  ['ALTER TABLE task ADD COLUMN a text, DROP "note";', /older releases use the column/],
  ['ALTER TABLE task RENAME COLUMN note TO remark;', /former name/],
  ['ALTER TABLE public."task" RENAME TO job;', /former name/],
  ['ALTER TABLE task ADD COLUMN note text NOT NULL;', /do not set the column/],
  ['ALTER TABLE task ALTER note SET NOT NULL;', /do not set the column/],
  ['ALTER TABLE task ALTER COLUMN note DROP DEFAULT;', /do not set the column/],
  ['ALTER TABLE task DROP CONSTRAINT task_key;', /ON CONFLICT/],
  ["ALTER TABLE task ADD CONSTRAINT c CHECK (note <> '') NOT VALID;", /rejects rows/],
  ["UPDATE task SET state = 'done';", /changes rows/],
  ['TRUNCATE task;', /deletes rows/],
  ['CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;', /may change what older releases call/],
  ['CREATE TRIGGER t BEFORE INSERT ON task EXECUTE FUNCTION f();', /what writes of older releases do/],
  ['DROP INDEX task_state_idx;', /may need the index/],
  ['DO $$ BEGIN EXECUTE $q$ DROP TABLE task $q$; END $$;', /does not know/],
])('a contract migration must name the release since which its object is unused: %s', (sql, reason) => {
  expect(kindOf(sql)).toBe('contract');
  expect(problemsOf(sql)).toEqual([expect.stringMatching(reason)]);
  const stated = classify({ sql: `-- contract: unused since 0.2.0\n${sql}` });
  expect(stated).toMatchObject({ kind: 'contract', unusedSince: '0.2.0', problems: [] });
});

test.each([
  ['CREATE INDEX task_note ON task (note);', /move it to concurrent.sql/],
  ['ALTER TABLE task ALTER COLUMN note TYPE varchar(9);', /rewrites the table/],
  ['ALTER TABLE task ADD COLUMN id2 uuid DEFAULT gen_random_uuid();', /rewrites the table/],
  ['ALTER TABLE task ADD COLUMN n int GENERATED ALWAYS AS (length(note)) STORED;', /rewrites the table/],
  ['ALTER TABLE task ADD COLUMN n bigserial;', /rewrites the table/],
  ['ALTER TABLE task SET UNLOGGED;', /rewrites the table/],
  ["ALTER TABLE task ADD CONSTRAINT c CHECK (note <> '');", /add NOT VALID/],
  ['ALTER TABLE task ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES b (id);', /add NOT VALID/],
  [
    'ALTER TABLE task ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES b (id) NOT VALID; ALTER TABLE task VALIDATE CONSTRAINT c;',
    /in a later migration/,
  ],
  ['ALTER TABLE task ADD CONSTRAINT c UNIQUE (note);', /builds an index/],
  ["SET LOCAL lock_timeout = '1h';", /protects traffic/],
])('a migration that blocks traffic is rejected with any header: %s', (sql, reason) => {
  expect(problemsOf(`-- expand: nobody uses it\n${sql}`)).toContainEqual(expect.stringMatching(reason));
  expect(problemsOf(`-- contract: unused since 0.2.0\n${sql}`)).toContainEqual(expect.stringMatching(reason));
});

test('a stated reason permits changes that the check cannot evaluate, but none that break an older release', () => {
  const reason = '-- expand: only rows that older releases do not read\n';
  expect(problemsOf(`${reason}UPDATE task SET note = 1 WHERE kind = 2;`)).toEqual([]);
  expect(problemsOf(`${reason}DROP TABLE task;`)).toEqual([expect.stringMatching(/older releases use the table/)]);
  // A new table replaces the old one under the same name.
  const replace = 'ALTER TABLE task RENAME TO old_task; CREATE TABLE task (id int); ';
  expect(problemsOf(replace)).toEqual([expect.stringMatching(/replaces the table/)]);
  expect(problemsOf(reason + replace)).toEqual([]);
  expect(problemsOf(`${reason}-- contract: unused since 0.2.0\nDROP TABLE task;`)).toEqual([
    expect.stringMatching(/expected one of them/),
  ]);
});

test('concurrent.sql contains only concurrent indexes with names', () => {
  const expand = 'CREATE TABLE cat (id int);';
  expect(problemsOf(expand, 'CREATE INDEX CONCURRENTLY a ON task (note);')).toEqual([]);
  for (const sql of [
    'CREATE INDEX a ON task (note)',
    'CREATE INDEX CONCURRENTLY ON task (note)',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON task (note)',
    'DROP TABLE task',
  ])
    expect(problemsOf(expand, sql), sql).toEqual([expect.stringMatching(/concurrent\.sql:1: .*expected CREATE INDEX/)]);
  expect(problemsOf(expand, 'CREATE UNIQUE INDEX CONCURRENTLY a ON task (note)')).toEqual([
    expect.stringMatching(/rejects rows/),
  ]);
});

describe('the check of all migrations', () => {
  function check({ version, oldestPeer }: { version: string; oldestPeer: string }): {
    status: number | null;
    stdout: string;
  } {
    const root = mkdtempSync(path.join(tmpdir(), 'parley-check-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    writeFileSync(path.join(root, 'package.json'), JSON.stringify({ version, parley: { oldestPeer } }));
    const files = {
      '0001_old': '-- baseline: 0.2.0\nDROP TABLE a;',
      '0070_drop': '-- contract: unused since 0.2.0\nDROP TABLE b;',
    };
    for (const [name, sql] of Object.entries(files)) {
      mkdirSync(path.join(root, 'prisma/migrations', name), { recursive: true });
      writeFileSync(path.join(root, 'prisma/migrations', name, 'migration.sql'), sql);
    }
    return spawnSync(process.execPath, ['scripts/check-migrations.mjs', root], { encoding: 'utf8' });
  }

  test('passes for Parley’s migrations', () => {
    const { status, stdout } = spawnSync(process.execPath, ['scripts/check-migrations.mjs'], { encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });

  test('permits a contract migration one release after its object became unused', () => {
    expect(check({ version: '0.3.0', oldestPeer: '0.2.0' })).toMatchObject({ status: 0, stdout: '' });
  });

  test.each([
    { version: '0.2.0', oldestPeer: '0.1.0', expected: 'expected at most 0.1.0' },
    { version: '0.3.0', oldestPeer: '0.1.0', expected: 'expected at most 0.1.0' },
    { version: '0.2.0', oldestPeer: '0.2.0', expected: 'expected no contract migration' },
  ])('rejects a migration in $version if $oldestPeer may run at the same time', ({ version, oldestPeer, expected }) => {
    const { status, stdout } = check({ version, oldestPeer });
    expect(status).toBe(1);
    expect(stdout).toContain(`0070_drop: found "-- contract: unused since 0.2.0"; ${expected}`);
    expect(stdout).not.toContain('0001_old');
  });
});
