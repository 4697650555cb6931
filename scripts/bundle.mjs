import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const AGENTS = 'examples/agents';
const EXAMPLES = 'examples/sdk';
const DIST = 'dist';
/** The file with which the browser draws diagrams; the server reads it from `dist`. */
const DIAGRAMS = 'mermaid/dist/mermaid.min.js';
/** The SDK's public entry points and their sources. */
const SDK = {
  '@parley/agent': 'packages/sdk/src/index.ts',
  '@parley/agent/ap2': 'packages/sdk/src/ap2.ts',
  '@parley/agent/mcp': 'packages/sdk/src/mcp.ts',
  '@parley/agent/serve': 'packages/sdk/src/serve.ts',
  '@parley/agent/test': 'packages/sdk/src/test.ts',
};

/**
 * Bundles our TypeScript programs into `dist/*.mjs`, because Node 20 cannot run TypeScript: the server, the demo, `npm
 * run keys`, the environment check and every example. Packages stay external, except Prisma's runtime: its package would
 * also install Prisma's CLI. The working directory must be the repository.
 *
 * @returns {Promise<void>}
 */
export async function bundle() {
  const common = {
    outdir: DIST,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    alias: { '@': path.resolve('.'), ...prismaRuntime(), ...sdkSources() },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    write: false,
  };
  // `npm start` runs both in one process, where they share the state of `lib`.
  const together = { server: 'server.ts', demo: 'scripts/demo.ts' };
  const tools = {
    keys: 'scripts/keys.ts',
    fees: 'scripts/fees.ts',
    tax: 'scripts/tax.ts',
    x402: 'scripts/x402.ts',
    doctor: 'scripts/doctor.ts',
    'move-owners': 'scripts/move-owners.ts',
    env: 'lib/platform/runtime/env.ts',
    'database-url': 'lib/platform/runtime/database-url.ts',
  };
  const shared = { ...common, splitting: true, chunkNames: 'shared-[hash]' };
  const results = await Promise.all([
    build({ ...shared, entryPoints: together }),
    build({ ...shared, entryPoints: tools }),
    build({ ...common, entryPoints: programs() }),
  ]);
  // Only after a success, because a running server still loads the old ones.
  removeBundles();
  for (const { path: file, contents } of results.flatMap(({ outputFiles }) => outputFiles)) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
  copyFileSync(path.join('node_modules', DIAGRAMS), path.join(DIST, path.basename(DIAGRAMS)));
}

/** Prisma's runtime for PostgreSQL mapped to absolute paths, so that it counts as our source. */
function prismaRuntime() {
  const runtime = '@prisma/client/runtime';
  const compiler = `${runtime}/query_compiler_fast_bg.postgresql`;
  const files = {
    [`${runtime}/client`]: `${runtime}/client.mjs`,
    [`${compiler}.mjs`]: `${compiler}.mjs`,
    [`${compiler}.wasm-base64.mjs`]: `${compiler}.wasm-base64.mjs`,
    '@prisma/client-runtime-utils': '@prisma/client-runtime-utils/dist/index.mjs',
  };
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, path.resolve('node_modules', file)]));
}

/** Removes all bundles, but not the packages and archives in the same folder. */
function removeBundles() {
  for (const name of existsSync(DIST) ? readdirSync(DIST) : [])
    if (name !== 'packages' && !name.endsWith('.tar.gz')) rmSync(path.join(DIST, name), { recursive: true });
}

/** CommonJS packages call `require` for Node's modules, which ES modules do not have. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);";

/**
 * Bundles each package of `packages/` into `packages/<name>/dist/`, without types. The SDK's two packages stay external.
 * The CLI contains the SDK and every other package, so that it installs without a registry.
 *
 * @returns {Promise<void>}
 */
export async function bundlePackages() {
  const common = { bundle: true, format: 'esm', target: 'node20', logLevel: 'error' };
  // The SDK also runs outside of Node. `canonicalize` is bundled, because it has only a few lines.
  const sdk = { entryPoints: Object.values(SDK), outdir: 'packages/sdk/dist', splitting: true };
  await build({ ...common, ...sdk, external: ['jose', 'eventsource-parser', 'ws'], platform: 'neutral' });
  const cli = { entryPoints: ['packages/cli/src/main.ts'], outfile: 'packages/cli/dist/main.mjs', platform: 'node' };
  const { metafile } = await build({
    ...common,
    ...cli,
    alias: sdkSources(),
    banner: { js: REQUIRE },
    // A program for one platform, and the optional parts of ws.
    external: ['esbuild', 'bufferutil', 'utf-8-validate'],
    metafile: true,
  });
  writeFileSync('packages/cli/dist/licenses.txt', licensesOf(Object.keys(metafile.inputs)));
}

/** Returns the licenses of the packages to which these files belong, as they require of copies. */
function licensesOf(files) {
  const folders = files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${folder} has no license`);
    return `${name} ${version}\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
  });
  return texts.join('\n---\n\n');
}

/**
 * Returns the SDK's entry points mapped to absolute source paths.
 *
 * @returns {Record<string, string>}
 */
export function sdkSources() {
  return Object.fromEntries(Object.entries(SDK).map(([name, file]) => [name, path.resolve(file)]));
}

function programs() {
  const examples = readdirSync(EXAMPLES).map((file) => path.parse(file).name);
  const agents = readdirSync(AGENTS).filter((slug) => existsSync(path.join(AGENTS, slug, 'main.ts')));
  return {
    'embedding-worker': 'lib/embeddings/built-in/worker.ts',
    ...Object.fromEntries(agents.map((slug) => [`agents/${slug}`, path.join(AGENTS, slug, 'main.ts')])),
    ...Object.fromEntries(examples.map((name) => [`examples/${name}`, path.join(EXAMPLES, `${name}.ts`)])),
  };
}
