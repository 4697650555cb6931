import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../../../scripts/program.mjs';

/**
 * Imports TypeScript modules of the tests.
 *
 * @param {...string} modules paths below `tests/`, without extension
 * @returns {Promise<Record<string, unknown>>} all their exports
 */
export async function importTypescript(...modules) {
  // Inside of the tree, so that packages resolve.
  const folder = mkdtempSync(path.join(ROOT, 'node_modules/.parley-drill-'));
  const outfile = path.join(folder, 'bundle.mjs');
  const resolveDir = path.join(ROOT, 'tests');
  const contents = modules.map((module) => `export * from './${module}';`).join('\n');
  const stdin = { contents, resolveDir, loader: 'ts' };
  const target = { outfile, bundle: true, packages: 'external', platform: 'node', format: 'esm' };
  await build({ stdin, ...target, alias: { '@': ROOT }, logLevel: 'error' });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
