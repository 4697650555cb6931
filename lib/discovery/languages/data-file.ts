import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Values that are computed on first use. */
export function lazy<T>(compute: () => T): () => T {
  let value: { of: T } | null = null;
  return () => {
    value ??= { of: compute() };
    return value.of;
  };
}

/** The text of a file in `data/`. The working directory is the repository, as for every other file the server reads. */
export function readData(name: string): string {
  return readFileSync(path.resolve('lib/discovery/languages/data', name), 'utf8');
}
