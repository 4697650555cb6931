// npm run bench [name…]: runs the comparisons of Parley with its peers in turn and reports which goals are met.
// The peers' packages are installed under bench/ on first use.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { CliError, runMain } from './cli-output.mjs';
import { prepare, ROOT } from './setup.mjs';

const FOLDER = path.join(ROOT, 'bench');

await runMain(async () => {
  await prepare();
  if (!existsSync(path.join(FOLDER, 'node_modules'))) installPeers();
  const known = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => file.slice(0, -'.mjs'.length));
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown) throw new CliError(`unknown comparison "${unknown}"; expected one of: ${known.join(', ')}`);
  const missed = (wanted.length > 0 ? wanted : known).filter((name) => !runOne(name));
  if (missed.length > 0) throw new CliError(`goals missed: ${missed.join(', ')}`);
});

function runOne(name) {
  const { status } = spawnSync(process.execPath, [path.join(FOLDER, `${name}.mjs`)], { cwd: ROOT, stdio: 'inherit' });
  return status === 0;
}

function installPeers() {
  const cli = process.env.npm_execpath;
  const [command, ...before] = cli && /npm-cli\.c?js$/.test(cli) ? [process.execPath, cli] : ['npm'];
  const args = [...before, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const shell = process.platform === 'win32' && command === 'npm';
  const { status } = spawnSync(command, args, { cwd: FOLDER, stdio: 'inherit', shell });
  if (status !== 0) throw new CliError(`the packages of bench/ could not be installed (npm ended with ${status})`);
}
