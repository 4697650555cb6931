import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildResult } from 'esbuild';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { readExports } from './read-exports.js';
import type { ServedFile, WatchedFile, Watching } from './served-file.js';

type Esbuild = typeof import('esbuild');

/** Finds the esbuild of the file's project, or otherwise the one installed with this program; null if there is none. */
export async function findEsbuild(file: string): Promise<Esbuild | null> {
  try {
    const found = createRequire(path.resolve(file)).resolve('esbuild');
    const { default: esbuild } = await import(pathToFileURL(found).href);
    // Versions before 0.17 have no contexts.
    if (typeof esbuild?.context === 'function') return esbuild;
  } catch {
    // The project has none.
  }
  return import('esbuild').catch(() => null);
}

/**
 * Bundles and loads a file, and repeats this when the file or an imported file changes. Packages are not bundled.
 * @throws {Failure} if the file cannot be built or exports no handler
 */
export async function watchWithEsbuild(
  { context }: Esbuild,
  { file, onChange, onError }: Watching,
): Promise<WatchedFile> {
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

async function importResult({ errors, outputFiles }: BuildResult, file: string, version: number): Promise<ServedFile> {
  const [error] = errors;
  if (error) {
    const { location, text } = error;
    const at = location ? `${location.file}:${location.line}:${location.column + 1}: ` : '';
    throw new Failure(EXIT.failed, `${at}${text}`);
  }
  // In the folder of the file, so that its packages can be resolved.
  const built = path.join(path.dirname(path.resolve(file)), `.parley-${process.pid}-${version}.mjs`);
  writeFileSync(built, outputFiles?.[0]?.text ?? '');
  try {
    return readExports(await import(pathToFileURL(built).href), file);
  } finally {
    rmSync(built, { force: true });
  }
}
