import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../../scripts/program.mjs';

/** Copied rather than linked: files that differ between releases, and those that locate the root by their own path. */
const COPIED = ['bin', 'dist', 'package.json', 'prisma', 'scripts'];

/**
 * Copies this tree as another release.
 *
 * @param {{ version: string, oldestPeer: string, migrations: Record<string, { sql: string, concurrentSql?: string }> }}
 *   release
 *   `migrations` are added to those of this tree
 * @returns {{ root: string, migrate: (databaseUrl: string) => Promise<{ succeeded: boolean, output: string }>, remove:
 *   () => void }}
 *   `migrate` runs the release's `parley migrate`
 */
export function createRelease({ version, oldestPeer, migrations }) {
  const root = mkdtempSync(path.join(tmpdir(), 'parley-release-'));
  for (const name of readdirSync(ROOT)) {
    if (COPIED.includes(name)) cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true });
    else if (name !== '.git') symlinkSync(path.join(ROOT, name), path.join(root, name));
  }
  const file = path.join(root, 'package.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version, parley: { oldestPeer } }));
  for (const [name, { sql, concurrentSql }] of Object.entries(migrations)) {
    const folder = path.join(root, 'prisma/migrations', name);
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'migration.sql'), sql);
    if (concurrentSql) writeFileSync(path.join(folder, 'concurrent.sql'), concurrentSql);
  }
  const migrate = (databaseUrl) =>
    new Promise((resolve) => {
      const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
      execFile(
        process.execPath,
        [path.join(root, 'scripts/cli/main.mjs'), 'migrate'],
        { env },
        (error, stdout, stderr) => {
          resolve({ succeeded: error === null, output: `${stdout}${stderr}`.trim() });
        },
      );
    });
  return { root, migrate, remove: () => rmSync(root, { recursive: true, force: true }) };
}
