import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { table } from '@/lib/endpoints/table';

/** What app/ mounts: `METHOD /path`, told by the one line of each route file and checked against its folder. */
function mounts(): string[] {
  const files = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('route.ts'));
  return files.flatMap((file) => {
    const text = readFileSync(path.join('app', file), 'utf8');
    const folder = path.dirname(file).replace(/\[(\w+)\]/g, ':$1');
    return [...text.matchAll(/export const (\w+) = mount\('(\w+)', '([^']+)'\);/g)].map(([, name, method, row]) => {
      expect(name).toBe(method);
      expect(row).toBe(`/${folder}`);
      return `${method} ${row}`;
    });
  });
}

test('app/ mounts every row of the table and nothing else', () => {
  expect(mounts().sort()).toEqual(table.map(({ method, path: row }) => `${method} ${row}`).sort());
});
