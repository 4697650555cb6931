import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const AGENTS = 'examples/agents';

/**
 * Turns our TypeScript programs into `dist/*.mjs`, because Node 20 runs no TypeScript: the server, the demo, the check
 * of the environment, and every example agent. Packages stay outside. The current folder is the repository.
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
    alias: { '@': path.resolve('.'), '@parley/agent': path.resolve('packages/sdk/src/index.ts') },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
  });
}

function programs() {
  const agents = readdirSync(AGENTS).filter((slug) => existsSync(path.join(AGENTS, slug, 'main.ts')));
  return {
    server: 'server.ts',
    demo: 'scripts/demo.ts',
    env: 'lib/platform/env.ts',
    ...Object.fromEntries(agents.map((slug) => [`agents/${slug}`, path.join(AGENTS, slug, 'main.ts')])),
  };
}
