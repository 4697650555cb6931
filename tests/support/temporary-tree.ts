import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface TemporaryTree {
  root: string;
  remove(): void;
}

const shared = [
  '.dependency-cruiser.cjs',
  '.dependency-cruiser.layers.cjs',
  'biome.json',
  'package.json',
  'tsconfig.json',
];

/** Creates a folder with our configuration, our packages and the given files, to run the tools on it. */
export function createTree(files: Record<string, string>): TemporaryTree {
  const root = mkdtempSync(path.join(tmpdir(), 'parley-tree-'));
  for (const file of shared) cpSync(file, path.join(root, file));
  symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'), 'dir');
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
