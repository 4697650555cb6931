import { existsSync } from 'node:fs';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { findEsbuild, watchWithEsbuild } from './load-with-esbuild.js';
import { canLoadWithNode, watchWithNode } from './load-with-node.js';
import { SMALLEST_HANDLER } from './read-exports.js';
import type { WatchedFile, Watching } from './served-file.js';

/**
 * Loads a handler from a JavaScript or TypeScript file, and reloads it when the file changes: with esbuild, which also
 * watches imported files, or otherwise with Node.
 * @throws {Failure} if the file cannot be loaded or exports no handler
 */
export async function watchHandler(watching: Watching): Promise<WatchedFile> {
  const { file } = watching;
  if (!existsSync(file)) throw new Failure(EXIT.failed, `File ${file} not found.`, SMALLEST_HANDLER);
  const esbuild = await findEsbuild(file);
  if (esbuild) return watchWithEsbuild(esbuild, watching);
  if (canLoadWithNode(file)) return watchWithNode(watching);
  throw needsEsbuild(file, process.versions.node);
}

function needsEsbuild(file: string, node: string): Failure {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const hasFlag = major > 22 || (major === 22 && minor >= 6);
  const flag = hasFlag ? ' Or set NODE_OPTIONS=--experimental-strip-types.' : '';
  const hint = `Install it: npm install --save-dev esbuild.${flag} Or save the file as JavaScript, as agent.mjs.`;
  // Node removes types, but does not support JSX.
  if (file.endsWith('x')) return new Failure(EXIT.failed, `${file} requires the package esbuild.`, hint);
  const needed = `the package esbuild, or Node 22.18 or newer (this is ${node})`;
  return new Failure(EXIT.failed, `${file} is TypeScript, which requires ${needed}.`, hint);
}
