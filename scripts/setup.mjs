// Sets up a fresh clone. Imports no package, because the packages may not be installed yet.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CliError, step } from './cli-output.mjs';
import { withFileLock } from './file-lock.mjs';
import { ROOT, requireNode } from './program.mjs';

/** Clients of earlier A2A versions, with separate packages that only the tests and their types need. */
const INTEROP_CLIENTS = 'tests/interop';
const CLIENT_STAMP = 'lib/generated/.parley-stamp';
const DOCS_STAMP = 'lib/generated/.docs-stamp';
const MESSAGES_STAMP = 'lib/generated/.texts-stamp';
const PAGES_STAMP = '.next/.parley-stamp';
const BUNDLES_STAMP = 'dist/.parley-stamp';
/** The packages that the server offers for download. */
const PACKAGES = 'dist/packages';
const PACKAGES_STAMP = `${PACKAGES}/.parley-stamp`;

const CLIENT_SOURCES = ['prisma/schema', 'prisma.config.ts', 'package-lock.json'];
const DOCS_SOURCES = ['docs/site', 'examples', 'scripts/docs', 'scripts/docs.mjs'];
const MESSAGES_SOURCES = ['app', 'components', 'scripts/messages', 'scripts/messages.mjs'];
const BUNDLE_SOURCES = [
  'server.ts',
  'scripts/demo.ts',
  'scripts/demo',
  'scripts/doctor.ts',
  'scripts/keys.ts',
  'scripts/processes.mjs',
  'scripts/bundle.mjs',
  'examples',
  'packages/sdk/src',
  'lib',
  ...DOCS_SOURCES,
  ...CLIENT_SOURCES,
];
const PACKAGE_SOURCES = [
  ...['sdk', 'cli'].flatMap((name) =>
    ['src', 'bin', 'package.json', 'README.md', 'LICENSE'].map((file) => `packages/${name}/${file}`),
  ),
  'packages/sdk/tsconfig.json',
  'scripts/build-packages.mjs',
  'scripts/bundle.mjs',
  'package-lock.json',
];
const PAGE_SOURCES = [
  'app',
  'components',
  'lib',
  'public',
  'mdx-components.tsx',
  'middleware.ts',
  'next.config.mjs',
  'postcss.config.mjs',
].concat('tsconfig.json', DOCS_SOURCES, MESSAGES_SOURCES, CLIENT_SOURCES);

/**
 * Installs the packages and generates the database client, the docs and the pseudo-locale, if they are missing or out
 * of date.
 *
 * @param {{ tests?: boolean }} [purpose] with `tests`, also the packages that only tests need
 * @returns {Promise<void>}
 * @throws {CliError} with the tool's output
 */
export function prepare({ tests = false } = {}) {
  requireNode();
  process.chdir(ROOT);
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  return withSetupLock(async () => {
    await step(() => installPackages('.'));
    if (tests) await step(() => installPackages(INTEROP_CLIENTS));
    await step(generateClient);
    await step(generateDocs);
    await step(generateMessages);
  });
}

/**
 * Builds the production code, if sources changed: `dist/`, our packages and, with `pages`, Next's pages.
 *
 * @param {{ pages: boolean }} what
 * @returns {Promise<boolean>} true if the programs were bundled
 * @throws {CliError} with the compiler's output
 */
export function build({ pages }) {
  return withSetupLock(async () => {
    const bundled = await step(bundlePrograms);
    await step(packPackages);
    if (pages) await step(buildPages);
    return bundled !== null;
  });
}

/** Serializes commands that start concurrently in one clone. */
function withSetupLock(work) {
  return withFileLock(path.join(ROOT, '.setup.lock'), work);
}

async function installPackages(folder) {
  const lock = hashOf([path.join(folder, 'package-lock.json')]);
  const wanted = `${lock} ${process.platform} ${process.arch} ${process.versions.modules}`;
  const stamp = path.join(folder, 'node_modules/.parley-stamp');
  if (readStamp(stamp) === wanted) return null;
  // Under NODE_ENV=production npm would omit the build tools. None of our packages needs its install script.
  const options = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // Updates existing packages, which takes seconds; `npm ci` would install all of them again.
  const isInstalled = existsSync(path.join(folder, 'node_modules/.package-lock.json'));
  const command = isInstalled ? ['install', '--no-save', '--prefer-offline'] : ['ci'];
  await run('packages', npm([...command, `--prefix=${folder}`, ...options]));
  writeStamp(stamp, wanted);
  return folder === '.' ? 'packages installed' : `packages of ${folder} installed`;
}

/** npm sets `npm_execpath` for its scripts; on Windows plain `npm` is a batch file, which only a shell can run. */
function npm(args) {
  const cli = process.env.npm_execpath;
  return cli && /npm-cli\.c?js$/.test(cli) ? [process.execPath, cli, ...args] : ['npm', ...args];
}

async function generateClient() {
  const wanted = hashOf(CLIENT_SOURCES);
  if (readStamp(CLIENT_STAMP) === wanted) return null;
  await run('the database client', [process.execPath, 'node_modules/prisma/build/index.js', 'generate']);
  writeStamp(CLIENT_STAMP, wanted);
  return 'database client generated';
}

async function generateDocs() {
  const wanted = hashOf(DOCS_SOURCES);
  if (readStamp(DOCS_STAMP) === wanted) return null;
  const { writeDocs } = await import('./docs.mjs');
  writeDocs();
  writeStamp(DOCS_STAMP, wanted);
  return 'docs collected';
}

async function generateMessages() {
  const wanted = hashOf(MESSAGES_SOURCES);
  if (readStamp(MESSAGES_STAMP) === wanted) return null;
  const { writeUsedKeys, writePseudoLocale } = await import('./messages.mjs');
  writeUsedKeys();
  writePseudoLocale();
  writeStamp(MESSAGES_STAMP, wanted);
  return 'texts of the pages collected';
}

async function bundlePrograms() {
  const wanted = hashOf(BUNDLE_SOURCES);
  if (readStamp(BUNDLES_STAMP) === wanted) return null;
  const { bundle } = await import('./bundle.mjs');
  await bundle();
  writeStamp(BUNDLES_STAMP, wanted);
  return 'server bundled';
}

/** Packs the SDK and the CLI as `agent.tgz` and `parley.tgz`. */
async function packPackages() {
  const wanted = hashOf(PACKAGE_SOURCES);
  if (readStamp(PACKAGES_STAMP) === wanted) return null;
  await run('our packages', [process.execPath, 'scripts/build-packages.mjs']);
  rmSync(PACKAGES, { recursive: true, force: true });
  mkdirSync(PACKAGES, { recursive: true });
  await run('our packages', npm(['pack', '--workspaces', '--ignore-scripts', `--pack-destination=${PACKAGES}`]));
  for (const file of readdirSync(PACKAGES)) {
    const name = file.startsWith('parley-agent-') ? 'agent' : 'parley';
    renameSync(path.join(PACKAGES, file), path.join(PACKAGES, `${name}.tgz`));
  }
  writeStamp(PACKAGES_STAMP, wanted);
  return 'packages packed';
}

async function buildPages() {
  const wanted = hashOf(PAGE_SOURCES);
  if (readStamp(PAGES_STAMP) === wanted) return null;
  const env = { ...process.env, NODE_ENV: 'production' };
  await run('the pages', [process.execPath, 'node_modules/next/dist/bin/next', 'build'], env);
  writeStamp(PAGES_STAMP, wanted);
  return 'pages built';
}

/** Runs a tool; its output is shown only if it fails. */
function run(what, [command, ...args], env = process.env) {
  return new Promise((resolve, reject) => {
    const shell = process.platform === 'win32' && command === 'npm';
    const child = spawn(command, args, { env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    const killChild = () => child.kill();
    process.once('exit', killChild);
    child.once('error', reject);
    child.once('close', (code) => {
      process.removeListener('exit', killChild);
      if (code === 0) resolve();
      else
        reject(new CliError(`${what} could not be built (${args[0]} exited with ${code}):\n${Buffer.concat(output)}`));
    });
  });
}

/** Returns a digest of the names and contents of files and folders; a missing path counts as empty. */
function hashOf(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesOf)) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function filesOf(target) {
  if (!existsSync(target) || target === path.join('lib', 'generated')) return [];
  if (!statSync(target).isDirectory()) return [target];
  return readdirSync(target)
    .sort()
    .flatMap((name) => filesOf(path.join(target, name)));
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function writeStamp(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  // Copies of a clone may share files as hard links.
  rmSync(file, { force: true });
  writeFileSync(file, text);
}
