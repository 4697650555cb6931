import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { CliError } from './cli-output.mjs';
import { ROOT } from './program.mjs';
import { prepare } from './setup.mjs';

const BENCH = path.join(ROOT, 'bench');

/**
 * Runs the programs of a folder one after the other, by default all. The packages of bench/ are installed on first use.
 *
 * @param {string} folder relative to the root
 * @param {string[]} wanted names without `.mjs`
 * @returns {Promise<{ name: string, succeeded: boolean, seconds: number, report: object | undefined }[]>} `report` is
 *   the last
 *   message that the program sent
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
  const results = [];
  for (const name of wanted.length > 0 ? wanted : known)
    results.push({ name, ...(await run(path.join(ROOT, folder, `${name}.mjs`))) });
  return results;
}

async function run(file) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [file], { cwd: ROOT, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  let report;
  child.on('message', (sent) => {
    report = sent;
  });
  const [status] = await once(child, 'close');
  return { succeeded: status === 0, seconds: Math.round((performance.now() - startedAt) / 1_000), report };
}

function installPeers() {
  const cli = process.env.npm_execpath;
  const [command, ...before] = cli && /npm-cli\.c?js$/.test(cli) ? [process.execPath, cli] : ['npm'];
  const args = [...before, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const shell = process.platform === 'win32' && command === 'npm';
  const { status } = spawnSync(command, args, { cwd: BENCH, stdio: 'inherit', shell });
  if (status !== 0) throw new CliError(`the packages of bench/ could not be installed (npm ended with ${status})`);
}
