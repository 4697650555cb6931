import { readFileSync } from 'node:fs';
import path from 'node:path';
import { once } from './once';

/** The release of this code, such as `1.2.0`, and the oldest release whose nodes may run alongside it. */
export interface Release {
  release: string;
  oldestPeer: string;
}

/** This node may not run with this database or alongside its nodes; `message` states the cause and the next step. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
}

/** The release that package.json states: `version` and `parley.oldestPeer`. */
export const ownRelease = once((): Release => {
  const text = readFileSync(path.join(process.cwd(), 'package.json'), 'utf8');
  const { version, parley } = JSON.parse(text) as { version: string; parley: { oldestPeer: string } };
  return { release: version.replace(/-.*/, ''), oldestPeer: parley.oldestPeer };
});

/** SQL that makes the release in `expression` comparable: 1.10.0 is newer than 1.9.0. */
export function releaseSql(expression: string): string {
  return `string_to_array(${expression}, '.')::int[]`;
}
