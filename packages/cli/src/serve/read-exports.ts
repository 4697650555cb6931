import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import type { ServedFile } from './served-file.js';

/** Remedy for a file without a handler. */
export const SMALLEST_HANDLER = 'Export a handler: export async function* handle(turn) { yield "Hello"; }';

type Exports = Record<string, unknown>;

/**
 * Reads the exports of a loaded module: `handle` or the default export, and `card`. The exports of CommonJS are its
 * default.
 * @throws {Failure} if it exports no handler
 */
export function readExports(exported: Exports, file: string): ServedFile {
  const all = isObject(exported.default) ? { ...exported.default, ...exported } : exported;
  const handle = all.handle ?? all.default;
  if (typeof handle !== 'function') {
    throw new Failure(EXIT.failed, `${file} does not export a handler.`, SMALLEST_HANDLER);
  }
  return { handle: handle as ServedFile['handle'], ...(isObject(all.card) && { card: all.card }) };
}

function isObject(value: unknown): value is Exports {
  return typeof value === 'object' && value !== null;
}
