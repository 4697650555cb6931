import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const everywhere = ['shell', 'ui'];

/** Pages, each with the areas whose texts it and the layouts above it ask for in the browser, and those it is given. */
const pages = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((name) => /(^|\/)(page|error|not-found)\.tsx$/.test(name))
  .map((name) => path.join('app', name));

describe('the texts that a page hands to the browser', () => {
  test.each(pages)('%s: are those that its components ask for', (page) => {
    const files = [page, ...layoutsAbove(page)];
    const given = files.map(givenBy).find((areas) => areas !== null) ?? [];
    const missing = [...askedBy(files)].filter((area) => ![...everywhere, ...given].includes(area));
    expect(missing).toEqual([]);
  });
});

function layoutsAbove(page: string): string[] {
  const folders = path.dirname(page).split('/');
  return folders
    .map((_, index) => path.join(...folders.slice(0, folders.length - index), 'layout.tsx'))
    .filter((file) => existsSync(file));
}

/** The areas that a file of app/ hands out itself; null: it leaves that to the layouts above. */
function givenBy(file: string): string[] | null {
  const source = readFileSync(file, 'utf8');
  if (!source.includes('<AreaTexts') || file === 'app/layout.tsx') return null;
  return [...(/(?:AreaTexts of=\{|Area\[\] = )\[([^\]]*)\]/.exec(source)?.[1]?.matchAll(/'(\w+)'/g) ?? [])].map(
    ([, area = '']) => area,
  );
}

/** Areas of the texts that these files and what they import ask for in the browser. */
function askedBy(files: string[]): Set<string> {
  const areas = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string, above: boolean): void => {
    const source = sourceOf(file);
    const client = above || /^'use client'/.test(source);
    if (seen.has(`${file} ${client}`)) return;
    seen.add(`${file} ${client}`);
    if (client) for (const [, area = ''] of source.matchAll(/useTranslations\(\s*'(\w+)/g)) areas.add(area);
    for (const next of importsOf(file, source)) visit(next, client);
  };
  for (const file of files) visit(file, false);
  return areas;
}

const sources = new Map<string, string>();

function sourceOf(file: string): string {
  const known = sources.get(file) ?? readFileSync(file, 'utf8');
  sources.set(file, known);
  return known;
}

/** The components and pages that a file imports, at once or later; types alone are none. */
function importsOf(file: string, source: string): string[] {
  const from = [...source.matchAll(/(?:^import (?!type)[^;]*?from |^export [^;]*?from |import\()'([^']+)'/gm)];
  return from
    .map(([, name = '']) => (name.startsWith('@/') ? name.slice(2) : path.join(path.dirname(file), name)))
    .filter((name) => /^(app|components)\//.test(name))
    .flatMap((name) => ['.ts', '.tsx', '/index.ts'].map((end) => name + end).filter((found) => existsSync(found)));
}
