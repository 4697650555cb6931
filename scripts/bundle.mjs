import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const AGENTS = 'examples/agents';
const EXAMPLES = 'examples/sdk';
/** The SDK's public entry points and their sources. */
const SDK = {
  '@parley/agent': 'packages/sdk/src/index.ts',
  '@parley/agent/ap2': 'packages/sdk/src/ap2.ts',
};

/**
 * Bundles our TypeScript programs into `dist/*.mjs`, because Node 20 runs no TypeScript: the server, the demo, `npm run
 * keys`, the environment check and every example. Packages stay external. The working directory must be the repository.
 *
 * @returns {Promise<void>}
 */
export async function bundle() {
  await build({
    entryPoints: programs(),
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    alias: { '@': path.resolve('.'), ...sdkSources() },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
  });
}

/**
 * Bundles each package of `packages/` into `packages/<name>/dist/`, without types. Imports stay external; for the CLI
 * that includes the SDK.
 *
 * @returns {Promise<void>}
 */
export async function bundlePackages() {
  const common = { bundle: true, format: 'esm', target: 'node20', logLevel: 'error' };
  // The SDK also runs outside Node; `canonicalize` is bundled, because it is only a few lines.
  const sdk = { entryPoints: Object.values(SDK), outdir: 'packages/sdk/dist', splitting: true };
  await build({ ...common, ...sdk, external: ['jose', 'eventsource-parser'], platform: 'neutral' });
  const cli = { entryPoints: ['packages/cli/src/main.ts'], outfile: 'packages/cli/dist/main.mjs' };
  await build({ ...common, ...cli, packages: 'external', external: ['@parley/agent'], platform: 'node' });
}

/**
 * The SDK's entry points mapped to absolute source paths.
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
    server: 'server.ts',
    demo: 'scripts/demo.ts',
    keys: 'scripts/keys.ts',
    env: 'lib/platform/env.ts',
    ...Object.fromEntries(agents.map((slug) => [`agents/${slug}`, path.join(AGENTS, slug, 'main.ts')])),
    ...Object.fromEntries(examples.map((name) => [`examples/${name}`, path.join(EXAMPLES, `${name}.ts`)])),
  };
}
