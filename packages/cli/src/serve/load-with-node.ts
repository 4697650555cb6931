import { unwatchFile, watchFile } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { readExports } from './read-exports.js';
import type { ServedFile, WatchedFile, Watching } from './served-file.js';

/** Interval of polling, in milliseconds. Polled, because editors replace files instead of changing them. */
const POLL_MS = 300;

/** Returns true for JavaScript, and for TypeScript if this Node removes types (22.18, 23.6 or newer). */
export function canLoadWithNode(file: string): boolean {
  const { typescript } = process.features as { typescript?: string | false };
  return !/\.[cm]?tsx?$/.test(file) || (Boolean(typescript) && !file.endsWith('x'));
}

/**
 * Loads a file with Node, and reloads it when it changes. Imported modules are loaded only once.
 * @throws {Failure} if the file cannot be loaded or exports no handler
 */
export async function watchWithNode({ file, onChange, onError }: Watching): Promise<WatchedFile> {
  const full = path.resolve(file);
  let version = 1;
  const served = await load(full, { file, version });
  const reload = (): void => {
    version += 1;
    load(full, { file, version }).then(onChange, (error) => onError(error.message));
  };
  watchFile(full, { interval: POLL_MS }, (now, before) => {
    const isGone = now.mtimeMs === 0;
    if (!isGone && (now.mtimeMs !== before.mtimeMs || now.size !== before.size)) reload();
  });
  return { ...served, close: async () => unwatchFile(full) };
}

async function load(full: string, { file, version }: { file: string; version: number }): Promise<ServedFile> {
  // CommonJS modules are cached by path, all others by URL.
  delete createRequire(full).cache[full];
  try {
    return readExports(await import(`${pathToFileURL(full).href}?version=${version}`), file);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(EXIT.failed, describe(error, file));
  }
}

/** Describes an error. Node reports the location of a syntax error only in the first lines of its stack. */
function describe(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `${file}: ${String(error)}`;
  const line = error instanceof SyntaxError ? /^file:.*:(\d+)$/m.exec(error.stack ?? '')?.[1] : undefined;
  return `${file}${line === undefined ? '' : `:${line}`}: ${error.message}`;
}
