import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { CliError } from './cli-output.mjs';
import { ROOT } from './program.mjs';
import { prepare } from './setup.mjs';

const BENCH = path.join(ROOT, 'bench');

/**
 * Runs programs of a folder in turn, by default all. The packages of bench/ are installed on first use.
 *
 * @param {string} folder relative to the root
 * @param {string[]} wanted names without `.mjs`
 * @returns {Promise<string[]>} the names of those that failed
 * @throws {CliError} for an unknown name
 */
export async function runPrograms(folder, wanted) {
  await prepare();
  if (!existsSync(path.join(BENCH, 'node_modules'))) installPeers();
  const known = readdirSync(path.join(ROOT, folder))
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => file.slice(0, -'.mjs'.length));
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown) throw new CliError(`unknown name "${unknown}"; expected one of: ${known.join(', ')}`);
  return (wanted.length > 0 ? wanted : known).filter((name) => !succeeds(path.join(ROOT, folder, `${name}.mjs`)));
}

function succeeds(file) {
  const { status } = spawnSync(process.execPath, [file], { cwd: ROOT, stdio: 'inherit' });
  return status === 0;
}

function installPeers() {
  const cli = process.env.npm_execpath;
  const [command, ...before] = cli && /npm-cli\.c?js$/.test(cli) ? [process.execPath, cli] : ['npm'];
  const args = [...before, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const shell = process.platform === 'win32' && command === 'npm';
  const { status } = spawnSync(command, args, { cwd: BENCH, stdio: 'inherit', shell });
  if (status !== 0) throw new CliError(`the packages of bench/ could not be installed (npm ended with ${status})`);
}
