import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { table } from '@/lib/endpoints/table';

/**
 * Mounted elsewhere: `POST /`, because `/` is a page, and what Next has no folder for; middleware.ts leads there.
 */
const moved: Record<string, string> = {
  '/api/calls-to-root': '/',
  '/api/calls-to-agents/:slug': '/agents/:slug',
  '/.well-known/oauth-protected-resource/[...path]': '/.well-known/oauth-protected-resource/*',
  '/agents/:slug/markdown': '/agents/:slug.md',
  '/docs/:page/markdown': '/docs/:page.md',
};

/**
 * What app/ mounts: `METHOD /path`, told by the one line of each route file and checked against its folder. A catch-all
 * stands for every row of its method below its folder (docs/decisions/0006).
 */
function mounts(): string[] {
  const files = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('route.ts'));
  return files.flatMap((file) => {
    const text = readFileSync(path.join('app', file), 'utf8');
    const folder = path.dirname(file).replace(/\[(\w+)\]/g, ':$1');
    const below = [...text.matchAll(/export const (\w+) = mountUnder\('(\w+)', '([^']+)'\);/g)].flatMap(
      ([, name, method, path]) => {
        expect(name).toBe(method);
        expect(`${path}/[...path]`).toBe(`/${folder}`);
        const rows = table.filter((row) => row.method === method && row.path.startsWith(`${path}/`));
        expect(rows, `${file} mounts no row for ${method}`).not.toEqual([]);
        return rows.map((row) => `${method} ${row.path}`);
      },
    );
    const single = [...text.matchAll(/export const (\w+) = mount\('(\w+)', '([^']+)'\);/g)].map(
      ([, name, method, row]) => {
        expect(name).toBe(method);
        expect(row).toBe(moved[`/${folder}`] ?? `/${folder}`);
        return `${method} ${row}`;
      },
    );
    return [...below, ...single];
  });
}

test('app/ mounts every row of the table and nothing else', () => {
  expect(mounts().sort()).toEqual(table.map(({ method, path: row }) => `${method} ${row}`).sort());
});
