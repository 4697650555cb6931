// npm run package: builds Parley and packs all files that a node requires into
// dist/parley-<version>-<platform>-<arch>.tar.gz.
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  createWriteStream,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { describeAdvisories, findAdvisories } from './advisories.mjs';
import { CliError, runMain, step } from './cli-output.mjs';
import { billOfMaterials, licensesOf, listComponents } from './package/components.mjs';
import { traceFiles } from './package/trace.mjs';
import { ROOT, version } from './program.mjs';
import { build, prepare } from './setup.mjs';

const MAX_MB = 150;
const PROGRAM = `#!/usr/bin/env node
import '../scripts/cli/main.mjs';
`;

/** The same files of one commit result in identical archives: names in order, one owner, one time. */
const TAR_OPTIONS = '--create --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rw,go-w,a+rX'.split(
  ' ',
);

/** Seconds since 1970, from the commit, because the ETags of files in `public` contain the time. */
function timeOfFiles() {
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' });
  return process.env.SOURCE_DATE_EPOCH || stdout?.trim() || '0';
}

/** Next's own copy of the configuration contains the folder in which the pages were built. */
function withoutBuildFolder(file) {
  const text = readFileSync(file, 'utf8');
  const { appDir } = JSON.parse(readFileSync('.next/required-server-files.json', 'utf8'));
  return text.replaceAll(appDir, '.');
}

/** Copies the files of the archive into `folder`. */
function stage(folder, files) {
  rmSync(folder, { recursive: true, force: true });
  for (const file of files) cpSync(file, path.join(folder, file), { verbatimSymlinks: true });
  for (const name of ['required-server-files.json', 'required-server-files.js'])
    writeFileSync(path.join(folder, '.next', name), withoutBuildFolder(`.next/${name}`));
  const components = listComponents(files);
  const { name, license, engines, parley } = JSON.parse(readFileSync('package.json', 'utf8'));
  const own = {
    name,
    version: version(),
    private: true,
    type: 'module',
    license,
    engines,
    parley,
    bin: { parley: 'bin/parley' },
  };
  mkdirSync(path.join(folder, 'bin'));
  writeFileSync(path.join(folder, 'bin/parley'), PROGRAM, { mode: 0o755 });
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
  writeFileSync(path.join(folder, 'THIRD-PARTY-LICENSES.txt'), licensesOf(components));
  writeFileSync(path.join(folder, 'sbom.cdx.json'), billOfMaterials(components, { version: version() }));
  return components.length;
}

/** Packs `folder`, with its own name as the only top-level entry. */
async function pack(folder, archive) {
  const args = [
    ...TAR_OPTIONS,
    `--mtime=@${timeOfFiles()}`,
    `--directory=${path.dirname(folder)}`,
    path.basename(folder),
  ];
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve, reject) => {
    tar.once('error', reject);
    tar.once('close', resolve);
  });
  await pipeline(tar.stdout, createGzip({ level: 9 }), createWriteStream(`${archive}.new`));
  if ((await ended) !== 0) throw new CliError('tar failed; expected GNU tar, which can sort names');
  renameSync(`${archive}.new`, archive);
}

await runMain(async () => {
  process.chdir(ROOT);
  if (process.env.BUILD !== 'skip') {
    await prepare();
    await build({ pages: true });
  }
  const name = `parley-${version()}-${process.platform}-${process.arch}`;
  const folder = path.join('dist', 'archive', name);
  const archive = path.join('dist', `${name}.tar.gz`);
  let files;
  await step(async () => {
    files = await traceFiles();
    return `${files.length} files traced`;
  });
  mkdirSync('dist', { recursive: true });
  await step(() => `${stage(folder, files)} packages of others listed`);
  await step(async () => {
    await pack(folder, archive);
    rmSync(path.dirname(folder), { recursive: true });
    return 'packed';
  });
  await step(() => describeAdvisories(findAdvisories()));
  const megabytes = statSync(archive).size / 1e6;
  console.log(`${archive}: ${megabytes.toFixed(1)} MB`);
  if (megabytes > MAX_MB) throw new CliError(`${archive} has ${megabytes.toFixed(1)} MB; expected at most ${MAX_MB}`);
});
