// npm run bench [name…]: measures Parley against its peers, one comparison after another, and says which goals are met.
// The peers have packages of their own under bench/, installed here on first use.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Refusal, runMain } from './report.mjs';
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
  if (unknown) throw new Refusal(`there is no comparison "${unknown}"; there are: ${known.join(', ')}`);
  const missed = (wanted.length > 0 ? wanted : known).filter((name) => !runOne(name));
  if (missed.length > 0) throw new Refusal(`goals missed: ${missed.join(', ')}`);
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
  if (status !== 0) throw new Refusal(`the packages of bench/ could not be installed (npm ended with ${status})`);
}
