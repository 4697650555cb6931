import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const AGENTS = 'examples/agents';
const EXAMPLES = 'examples/sdk';
/** What others import of the SDK, and where it is. */
const SDK = {
  '@parley/agent': 'packages/sdk/src/index.ts',
  '@parley/agent/ap2': 'packages/sdk/src/ap2.ts',
};

/**
 * Turns our TypeScript programs into `dist/*.mjs`, because Node 20 runs no TypeScript: the server, the demo, the keys'
 * command, the check of the environment, and every example. Packages stay outside. The current folder is the repository.
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
 * Turns each package of `packages/` into what is published of it, but for the types: `packages/<name>/dist/`. What it
 * imports stays outside; for the CLI the SDK is such a package too.
 *
 * @returns {Promise<void>}
 */
export async function bundlePackages() {
  const common = { bundle: true, format: 'esm', target: 'node20', logLevel: 'error' };
  // The SDK also runs where Node is not, and brings the few lines of canonical JSON with it.
  const sdk = { entryPoints: Object.values(SDK), outdir: 'packages/sdk/dist', splitting: true };
  await build({ ...common, ...sdk, external: ['jose', 'eventsource-parser'], platform: 'neutral' });
  const cli = { entryPoints: ['packages/cli/src/main.ts'], outfile: 'packages/cli/dist/main.mjs' };
  await build({ ...common, ...cli, packages: 'external', external: ['@parley/agent'], platform: 'node' });
}

/**
 * Where the SDK's sources are, by the names that others import.
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
