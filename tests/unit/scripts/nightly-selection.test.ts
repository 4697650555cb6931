import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { nightlyFiles, nightlySources, selectNightly } from '../../../scripts/nightly-selection.mjs';

const [proxies, nodes] = ['tests/contract/proxies.nightly.test.ts', 'tests/contract/nodes.nightly.test.ts'];
const files = [nodes, proxies];
const sources = { [nodes]: ['lib/platform/'], [proxies]: ['lib/http/', 'server.ts'] };

function select(changed: string[] | null, imports: Record<string, string[]> = {}): string[] {
  return selectNightly({ files, sources, changed, importsOf: (file) => imports[file] ?? [] });
}

test.each([
  ['the file itself', proxies, [proxies]],
  ['a file in a folder that it tests', 'lib/http/handler.ts', [proxies]],
  ['a file that it tests', 'server.ts', [proxies]],
  ['a file whose name only has the same beginning', 'server.ts.md', []],
  ['a folder of the same name in another place', 'docs/lib/platform/a.md', []],
  ['any other file', 'docs/index.md', []],
  ['the lock file', 'package-lock.json', files],
  ['a migration', 'prisma/migrations/1/migration.sql', files],
  ['what all tests use', 'tests/support/parley.ts', files],
  ['a part of the server that no file lists', 'lib/hub/runs/dispatch.ts', files],
])('a change to %s selects the files that test it', (_, changed, selected) => {
  expect(select([changed])).toEqual(selected);
});

test('a change to an imported fake selects the files that import it', () => {
  expect(select(['tests/fakes/agent.ts'], { [nodes]: ['tests/fakes/agent.ts'] })).toEqual([nodes]);
});

test('all nightly files are selected if the changes are unknown', () => {
  expect(select(null)).toEqual(files);
});

test('a nightly file without declared sources is always selected', () => {
  expect(selectNightly({ files, sources: {}, changed: [], importsOf: () => [] })).toEqual(files);
});

describe('the declared sources', () => {
  test('contain every nightly file and no others', () => {
    const found = readdirSync('tests', { recursive: true, encoding: 'utf8' }).map((name) => `tests/${name}`);
    const nightly = found.filter((name) => name.endsWith('.nightly.test.ts')).sort();
    expect(nightlyFiles()).toEqual(nightly);
    expect(Object.keys(nightlySources()).sort()).toEqual(nightly);
  });

  test('exist in the repository', () => {
    const missing = Object.values(nightlySources())
      .flat()
      .filter((source) => !existsSync(source));
    expect(missing).toEqual([]);
  });

  test('include the fixtures and fakes that a file imports', () => {
    const known = { files: nightlyFiles(), sources: nightlySources() };
    const selected = selectNightly({ ...known, changed: ['tests/fakes/connection-cutter.ts'] });
    expect(selected).toContain('tests/http/revocation-nodes.nightly.test.ts');
    expect(selected).not.toContain('tests/contract/package.nightly.test.ts');
  });
});
