import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundles functions of this repository's TypeScript for Node.
 *
 * @param {string} name of the bundle in `.data`
 * @param {string} exports a module that exports them
 * @param {Record<string, string>} variables the environment variables of the code
 */
export async function sourceLibrary(name, exports, variables) {
  const outfile = path.resolve(`.data/${name}.mjs`);
  const stdin = { contents: exports, resolveDir: path.resolve('.'), loader: 'ts' };
  const alias = {
    '@': path.resolve('.'),
    '@parley/agent/ap2': './packages/sdk/src/ap2.ts',
    '@parley/agent': './packages/sdk/src/index.ts',
  };
  await build({
    stdin,
    outfile,
    alias,
    define: { 'process.env': JSON.stringify(variables) },
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  return import(pathToFileURL(outfile).href);
}
