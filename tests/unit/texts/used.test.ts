import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { texts } from '@/lib/texts/en';

const sources = ['app', 'components', 'lib'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/generated|^texts/.test(name))
    .map((name) => readFileSync(path.join(folder, name), 'utf8')),
);
/** Namespaces of component messages, such as `market.agentCard`, with the key patterns that each component builds. */
const places = sources.flatMap((source) => {
  const templates = [...source.matchAll(/`([\w.]*\$\{[^`]*?\}[\w.]*(?:\$\{[^`]*?\})?)`/g)]
    .map(([, text = '']) => text)
    .filter((text) => /^\w+\./.test(text) || /\}(\.?\w{3,}$|\.\$\{)/.test(text))
    .map((text) => new RegExp(`^${text.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w.:-]+')}$`));
  return [...source.matchAll(/Translations(?:<|\(\s*)'([\w.]+)'/g)].map(([, place = '']) => ({ place, templates }));
});

const literals = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/['"`]([\w.:-]+)['"`]|(?<=[{,]\s*)(\w+)(?=:)/g)].map((found) => found[1] ?? found[2]),
  ),
);

function pathsOf(value: object, above = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [above + key] : pathsOf(inner, `${above}${key}.`),
  );
}

function isUsed(text: string): boolean {
  return places.some(({ place, templates }) => {
    const key = text.slice(place.length + 1);
    return text.startsWith(`${place}.`) && (literals.has(key) || templates.some((form) => form.test(key)));
  });
}

test('every message in the language files is used', () => {
  expect(pathsOf(texts).filter((text) => !isUsed(text))).toEqual([]);
});
