import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Handler } from '@parley/agent/serve';
import type { BuildResult } from 'esbuild';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';

/** What a file exports: its handler as `default` or `handle`, and its card as `card`. */
export interface ServedFile {
  handle: Handler;
  card?: object;
}

/** A file that is served, until `close`. */
export interface WatchedFile extends ServedFile {
  close(): Promise<void>;
}

interface Watching {
  file: string;
  /** Called with each later version. */
  onChange: (served: ServedFile) => void;
  /** Called with why a later version cannot be used; the previous one stays. */
  onError: (message: string) => void;
}

/**
 * Loads a handler from a JavaScript or TypeScript file, and again whenever it or what it imports changes.
 * @throws {Failure} when the file cannot be built or exports no handler
 */
export async function watchHandler({ file, onChange, onError }: Watching): Promise<WatchedFile> {
  const { context } = await findEsbuild(file);
  let settle: { resolve: (served: ServedFile) => void; reject: (error: unknown) => void } | null = null;
  const first = new Promise<ServedFile>((resolve, reject) => {
    settle = { resolve, reject };
  });
  let version = 0;
  const onEnd = async (result: BuildResult): Promise<void> => {
    version += 1;
    const isFirst = version === 1;
    try {
      const served = await importResult(result, file, version);
      if (isFirst) settle?.resolve(served);
      else onChange(served);
    } catch (error) {
      if (isFirst) settle?.reject(error);
      else onError(error instanceof Error ? error.message : String(error));
    }
  };
  const watched = await context({
    entryPoints: [file],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'silent',
    write: false,
    outfile: 'agent.mjs',
    plugins: [{ name: 'load', setup: (build) => build.onEnd(onEnd) }],
  });
  try {
    await watched.watch();
    return { ...(await first), close: () => watched.dispose() };
  } catch (error) {
    await watched.dispose();
    throw error;
  }
}

/**
 * The esbuild of the file's project, or the one installed with this program.
 * @throws {Failure} when neither has one
 */
async function findEsbuild(file: string): Promise<typeof import('esbuild')> {
  try {
    const found = createRequire(path.resolve(file)).resolve('esbuild');
    return (await import(pathToFileURL(found).href)).default;
  } catch {
    return import('esbuild').catch(() => {
      const hint = 'Install it in your project: npm install --save-dev esbuild';
      throw new Failure(EXIT.failed, 'Serving a file needs the package esbuild.', hint);
    });
  }
}

async function importResult({ errors, outputFiles }: BuildResult, file: string, version: number): Promise<ServedFile> {
  const [error] = errors;
  if (error) {
    const { location, text } = error;
    const at = location ? `${location.file}:${location.line}:${location.column + 1}: ` : '';
    throw new Failure(EXIT.failed, `${at}${text}`);
  }
  // In the folder of the file, so that its packages resolve.
  const built = path.join(path.dirname(path.resolve(file)), `.parley-${process.pid}-${version}.mjs`);
  writeFileSync(built, outputFiles?.[0]?.text ?? '');
  try {
    return readExports(await import(pathToFileURL(built).href), file);
  } finally {
    rmSync(built, { force: true });
  }
}

function readExports(exported: Record<string, unknown>, file: string): ServedFile {
  const handle = exported.handle ?? exported.default;
  if (typeof handle !== 'function') {
    const hint = 'Export one: export async function* handle(turn) { yield "Hello"; }';
    throw new Failure(EXIT.failed, `${file} exports no handler.`, hint);
  }
  const { card } = exported;
  return { handle: handle as Handler, ...(typeof card === 'object' && card !== null && { card }) };
}
