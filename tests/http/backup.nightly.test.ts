import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCluster, remove, systemPostgres } from '../../bench/drills/lib/cluster.mjs';
import { createBackup, restoreBackup, verifyBackup } from '../../scripts/backup/backup.mjs';
import { migrate } from '../../scripts/migrate.mjs';
import { waitFor } from '../support/wait-for';

const binaries = systemPostgres();
const patience = 240_000;
const password = 'a-password-that-nothing-prints';

let folder: string;
let cluster: Awaited<ReturnType<typeof createCluster>>;
/** The folder in which the commands find pg_dump, a program that a test writes. */
let tools: string;

const urlOf = (database: string): string => cluster.url(database).replace('parley@', `parley:${password}@`);

beforeAll(async () => {
  if (!binaries) return;
  folder = mkdtempSync(path.join(tmpdir(), 'parley-backup-'));
  tools = path.join(folder, 'tools');
  mkdirSync(tools);
  cluster = await createCluster({ folder, binaries });
  cluster.start();
  await cluster.query('postgres', 'CREATE DATABASE live');
  await migrate(urlOf('live'));
  await cluster.query(
    'live',
    `INSERT INTO "user" (id, email, name) SELECT 'usr_' || n, n || '@example.test', 'Ada' FROM generate_series(1, 500) n`,
  );
}, patience);

afterAll(() => {
  if (!binaries) return;
  cluster.stop('immediate');
  remove(folder);
});

/** A new folder for backups. */
const target = (name: string): string => path.join(folder, name);

/** Makes `script` the pg_dump that the next command finds. */
function installPgDump(script: string): void {
  const file = path.join(tools, 'pg_dump');
  const answer = 'case "$1" in --version) echo "pg_dump (PostgreSQL) 99.0"; exit;; esac';
  writeFileSync(file, `#!/bin/sh\n${answer}\n${script}\n`);
  chmodSync(file, 0o755);
}

function run(...args: string[]): { child: ReturnType<typeof spawn>; ended: Promise<[number | null, string]> } {
  const env = {
    PATH: `${tools}:${process.env.PATH}`,
    HOME: folder,
    DATABASE_URL: urlOf('live'),
    NODE_ENV: 'production' as const,
  };
  const child = spawn(process.execPath, ['scripts/cli/main.mjs', 'backup', ...args], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve([code, output]))) };
}

describe.skipIf(!binaries)('parley backup', () => {
  test(
    'writes a backup that only its owner can read, and restores all of its tables into an empty database',
    async () => {
      const to = target('whole');
      installPgDump(`echo "$@" > ${folder}/arguments\nexec ${binaries}/pg_dump "$@"`);
      const [code, said] = await run('--to', to).ended;
      expect(code, said).toBe(0);
      const [name = ''] = readdirSync(to);
      const backup = path.join(to, name);
      expect(said).toMatch(new RegExp(`^${backup}: \\d+ rows\n$`));
      expect(readdirSync(backup).sort()).toEqual(['database.dump', 'manifest.json']);
      expect(statSync(backup).mode & 0o777).toBe(0o700);
      for (const file of readdirSync(backup)) expect(statSync(path.join(backup, file)).mode & 0o777, file).toBe(0o600);
      await cluster.query('postgres', 'CREATE DATABASE restored');
      const { tables, rows } = await restoreBackup({ url: urlOf('restored'), backup });
      expect(said).toContain(`: ${rows} rows`);
      expect(tables).toBeGreaterThan(60);
      await cluster.query('restored', `UPDATE "user" SET name = 'Bob' WHERE id = 'usr_7'`);
      await expect(verifyBackup({ url: urlOf('restored'), backup })).rejects.toThrow(
        /differs from .* in 1 tables:\nuser: has the expected 500 rows with other contents/,
      );
      await expect(restoreBackup({ url: urlOf('restored'), backup })).rejects.toThrow(
        /has \d+ tables; expected an empty one/,
      );
      const seen =
        readFileSync(path.join(folder, 'arguments'), 'utf8') +
        said +
        readFileSync(path.join(backup, 'manifest.json'), 'utf8');
      expect(seen).not.toContain(password);
      const dump = path.join(backup, 'database.dump');
      writeFileSync(dump, readFileSync(dump).subarray(0, -1));
      await cluster.query('postgres', 'CREATE DATABASE other');
      await expect(restoreBackup({ url: urlOf('other'), backup })).rejects.toThrow(/is damaged: its SHA-256 differs/);
      expect(await cluster.query('other', "SELECT FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
    },
    patience,
  );

  test(
    'does not replace a backup from the same second',
    async () => {
      const options = {
        url: urlOf('live'),
        folder: target('twice'),
        withSecrets: false,
        now: new Date('2026-11-26T10:00:00Z'),
      };
      const { folder: first } = await createBackup(options);
      const before = readFileSync(path.join(first, 'manifest.json'));
      await expect(createBackup(options)).rejects.toThrow(/parley-20261126T100000Z exists already; wait a second/);
      expect(readFileSync(path.join(first, 'manifest.json'))).toEqual(before);
      expect(readdirSync(target('twice'))).toHaveLength(1);
    },
    patience,
  );

  test(
    'exits with 1 and leaves no files if pg_dump or a write fails',
    async () => {
      writeFileSync(target('file'), '');
      const [code, said] = await run('--to', target('file')).ended;
      expect([code, said]).toEqual([1, expect.stringMatching(/^parley: ENOTDIR: not a directory.*file/)]);
      installPgDump('echo "pg_dump: error: the disk is full" >&2; exit 3');
      const [failed, reason] = await run('--to', target('failed')).ended;
      expect([failed, reason]).toEqual([1, 'parley: pg_dump exited with 3: pg_dump: error: the disk is full\n']);
      expect(readdirSync(target('failed'))).toEqual([]);
    },
    patience,
  );

  const isDumping = (to: string) => (): boolean => existsSync(path.join(folder, `started-${path.basename(to)}`));

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'exits with 1 and leaves no files if it ends at %s',
    async (signal) => {
      const to = target(signal);
      installPgDump(`echo half > ${folder}/started-${signal}\nexec sleep 600`);
      const { child, ended } = run('--to', to);
      await waitFor(isDumping(to), { timeout: 60_000, what: 'the dump to begin' });
      child.kill(signal);
      expect(await ended).toEqual([1, 'parley: interrupted; nothing of this backup was kept\n']);
      expect(readdirSync(to)).toEqual([]);
    },
    patience,
  );

  test(
    'leaves no folder that looks like a backup if it is killed',
    async () => {
      const to = target('killed');
      installPgDump(`echo half > ${folder}/started-killed\necho $$ > ${folder}/dump-pid\nexec sleep 600`);
      const { child, ended } = run('--to', to);
      await waitFor(isDumping(to), { timeout: 60_000, what: 'the dump to begin' });
      child.kill('SIGKILL');
      process.kill(Number(readFileSync(path.join(folder, 'dump-pid'), 'utf8')), 'SIGKILL');
      await ended;
      expect(readdirSync(to).filter((name) => !name.endsWith('.partial'))).toEqual([]);
    },
    patience,
  );
});
