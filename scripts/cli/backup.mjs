import path from 'node:path';
import { createBackup, restoreBackup, verifyBackup } from '../backup/backup.mjs';
import { shutDown } from '../shutdown.mjs';
import { readTaskDatabases } from '../task-databases.mjs';
import { databaseUrl, UsageError } from './command.mjs';

const USAGE = 'expected parley backup [--to FOLDER], parley backup verify BACKUP or parley backup restore BACKUP';

/** @type {import('./command.mjs').Command} */
export const backup = {
  summary: 'writes, restores and verifies backups of the database',
  usage:
    '[--to FOLDER] [--with-secrets] [--database NAME]\nrestore BACKUP [--database NAME]\nverify BACKUP [--database NAME]',
  help: `
Without a verb, writes a consistent backup while nodes are running: the folder parley-<time> with a dump in PostgreSQL's
custom format and a manifest with the version, the last migration, the mark of the audit log, and the rows and checksum
of each table in the dump's snapshot. It needs pg_dump of the server's version or newer. Only its owner can read it.

restore puts a backup into the empty database of DATABASE_URL and compares each table with the manifest. verify compares
only, after a restore by other means and before a node starts.

Options:
  --to FOLDER      where to write the backup; default: the working directory
  --with-secrets   also write NEXTAUTH_SECRET and KEY_ENCRYPTION_KEY, in secrets.env
  --database NAME  the database with this name in TASK_DATABASE_URLS instead of that of DATABASE_URL; each needs a backup`,
  options: { to: { type: 'string' }, 'with-secrets': { type: 'boolean' }, database: { type: 'string' } },
  most: 2,
  async run({ values, args: [verb, folder], cwd }) {
    if (verb === undefined) return create({ folder: path.resolve(cwd, values.to ?? '.'), values });
    if ((verb !== 'verify' && verb !== 'restore') || folder === undefined) throw new UsageError(USAGE);
    const action = verb === 'restore' ? restoreBackup : verifyBackup;
    const { tables, rows } = await action({ url: await urlOf(values.database), backup: path.resolve(cwd, folder) });
    console.log(`${verb === 'restore' ? 'restored: ' : ''}${tables} tables with ${rows} rows match the backup`);
  },
};

async function create({ folder, values }) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => {
      console.error('parley: interrupted; nothing of this backup was kept');
      void shutDown(1);
    });
  const written = await createBackup({
    url: await urlOf(values.database),
    folder,
    withSecrets: values['with-secrets'] === true,
    now: new Date(),
  });
  console.log(`${written.folder}: ${written.rows} rows`);
  const others = values.database ? [] : await readTaskDatabases();
  for (const { name } of others) console.log(`not included: ${name}; back it up with --database ${name}`);
}

async function urlOf(name) {
  if (name === undefined) return databaseUrl();
  const found = (await readTaskDatabases()).find((database) => database.name === name);
  if (!found) throw new UsageError(`${JSON.stringify(name)} is not in TASK_DATABASE_URLS`);
  return found.url;
}
