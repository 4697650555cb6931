// Everything a fresh clone needs before it can run. No package is imported before the packages are installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withFileLock } from './file-lock.mjs';
import { Refusal, step } from './report.mjs';

/** The repository. The entries work in it wherever they were called from. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const OLDEST_NODE = [20, 19];
/** Clients of earlier days that tests call Parley with: packages of their own, that only tests and their types need. */
const CALLERS = 'tests/interop';
const CLIENT_STAMP = 'lib/generated/.parley-stamp';
const DOCS_STAMP = 'lib/generated/.docs-stamp';
const TEXTS_STAMP = 'lib/generated/.texts-stamp';
const PAGES_STAMP = '.next/.parley-stamp';
const BUNDLES_STAMP = 'dist/.parley-stamp';

const CLIENT_SOURCES = ['prisma/schema', 'prisma.config.ts', 'package-lock.json'];
const DOCS_SOURCES = ['docs/site', 'examples', 'scripts/docs', 'scripts/docs.mjs'];
const TEXTS_SOURCES = ['app', 'components', 'scripts/texts', 'scripts/texts.mjs'];
const BUNDLE_SOURCES = [
  'server.ts',
  'scripts/demo.ts',
  'scripts/demo',
  'scripts/processes.mjs',
  'scripts/bundle.mjs',
  'examples',
  'packages/sdk/src',
  'packages/cli/src',
  'lib',
  ...DOCS_SOURCES,
  ...CLIENT_SOURCES,
];
const PAGE_SOURCES = [
  'app',
  'components',
  'lib',
  'public',
  'instrumentation.ts',
  'mdx-components.tsx',
  'middleware.ts',
  'next.config.mjs',
  'postcss.config.mjs',
].concat('tsconfig.json', DOCS_SOURCES, TEXTS_SOURCES, CLIENT_SOURCES);

/**
 * Stops with one line when this Node is too old.
 *
 * @returns {void}
 * @throws {Refusal}
 */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new Refusal(
    `Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node} (${process.execPath})`,
  );
}

/**
 * Installs the packages, generates the database client, the docs and the pseudo-language where they are missing or out of date.
 *
 * @param {{ tests?: boolean }} [purpose] with `tests` also the packages that only tests need
 * @returns {Promise<void>}
 * @throws {Refusal} with the tool's own output
 */
export function prepare({ tests = false } = {}) {
  requireNode();
  process.chdir(ROOT);
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  return alone(async () => {
    await step(() => installPackages('.'));
    if (tests) await step(() => installPackages(CALLERS));
    await step(generateClient);
    await step(generateDocs);
    await step(generateTexts);
  });
}

/**
 * Makes what production runs, where sources changed: `dist/` always, Next's pages unless told otherwise.
 *
 * @param {{ pages: boolean }} what
 * @returns {Promise<void>}
 * @throws {Refusal} with the compiler's own output
 */
export function build({ pages }) {
  return alone(async () => {
    await step(bundlePrograms);
    if (pages) await step(buildPages);
  });
}

/**
 * Where the bundle of a program lies. A path written out in an `import` would lead nowhere until the first build.
 *
 * @param {'server' | 'demo' | 'env'} program
 * @returns {string}
 */
export function bundleOf(program) {
  return new URL(`../dist/${program}.mjs`, import.meta.url).href;
}

/** Two commands that start on one clone at the same time wait for each other. */
function alone(work) {
  return withFileLock(path.join(ROOT, '.setup.lock'), work);
}

async function installPackages(folder) {
  const lock = hashOf([path.join(folder, 'package-lock.json')]);
  const wanted = `${lock} ${process.platform} ${process.arch} ${process.versions.modules}`;
  const stamp = path.join(folder, 'node_modules/.parley-stamp');
  if (readStamp(stamp) === wanted) return null;
  // Under NODE_ENV=production npm would leave the build's own tools out. No package of ours needs its install script.
  const options = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('packages', npm(['ci', `--prefix=${folder}`, ...options]));
  writeStamp(stamp, wanted);
  return folder === '.' ? 'packages installed' : `packages of ${folder} installed`;
}

/** npm tells its scripts where it lives; a plain `npm` on Windows is a batch file, which only a shell can run. */
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

async function generateTexts() {
  const wanted = hashOf(TEXTS_SOURCES);
  if (readStamp(TEXTS_STAMP) === wanted) return null;
  const { writeNeededTexts, writePseudoTexts } = await import('./texts.mjs');
  writeNeededTexts();
  writePseudoTexts();
  writeStamp(TEXTS_STAMP, wanted);
  return 'texts of the pages collected';
}

async function bundlePrograms() {
  const wanted = hashOf(BUNDLE_SOURCES);
  if (readStamp(BUNDLES_STAMP) === wanted) return null;
  rmSync('dist', { recursive: true, force: true });
  const { bundle, bundlePackages } = await import('./bundle.mjs');
  await Promise.all([bundle(), bundlePackages()]);
  writeStamp(BUNDLES_STAMP, wanted);
  return 'server bundled';
}

async function buildPages() {
  const wanted = hashOf(PAGE_SOURCES);
  if (readStamp(PAGES_STAMP) === wanted) return null;
  const env = { ...process.env, NODE_ENV: 'production' };
  await run('the pages', [process.execPath, 'node_modules/next/dist/bin/next', 'build'], env);
  writeStamp(PAGES_STAMP, wanted);
  return 'pages built';
}

/** Runs a tool quietly: its output is shown when it fails. */
function run(what, [command, ...args], env = process.env) {
  return new Promise((resolve, reject) => {
    const shell = process.platform === 'win32' && command === 'npm';
    const child = spawn(command, args, { env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    const endChild = () => child.kill();
    process.once('exit', endChild);
    child.once('error', reject);
    child.once('close', (code) => {
      process.removeListener('exit', endChild);
      if (code === 0) resolve();
      else reject(new Refusal(`${what} could not be made (${args[0]} ended with ${code}):\n${Buffer.concat(output)}`));
    });
  });
}

/** A digest of the names and bytes of files and folders; what does not exist counts as empty. */
function hashOf(places) {
  const hash = createHash('sha256');
  for (const file of places.flatMap(filesOf)) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function filesOf(place) {
  if (!existsSync(place) || place === path.join('lib', 'generated')) return [];
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place)
    .sort()
    .flatMap((name) => filesOf(path.join(place, name)));
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function writeStamp(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
