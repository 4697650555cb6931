import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { texts } from '@/components/texts/en';

const sources = ['app', 'components', 'lib'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/generated|^texts/.test(name))
    .map((name) => readFileSync(path.join(folder, name), 'utf8')),
);
const all = sources.join('\n');

/** Where components take their texts from: `market.agentCard`. */
const places = new Set([...all.matchAll(/(?:use|get)Translations\(\s*'([\w.]+)'/g)].map(([, place = '']) => place));

const literals = new Set(
  [...all.matchAll(/['"`]([\w.-]+)['"`]|(?<=[{,]\s*)(\w+)(?=:)/g)].map((found) => found[1] ?? found[2]),
);

/** Keys with a changing part: `state.${state}`. */
const templates = [
  ...new Set([...all.matchAll(/`([\w.]*\$\{[^`]*?\}[\w.]*(?:\$\{[^`]*?\})?)`/g)].map(([, text = '']) => text)),
]
  .filter((text) => /^\w+\./.test(text) || /\}\.?\w+$/.test(text))
  .map((text) => new RegExp(`^${text.replace(/\$\{[^}]*\}/g, '[\\w-]+').replaceAll('.', '\\.')}$`));

function pathsOf(value: object, above = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [above + key] : pathsOf(inner, `${above}${key}.`),
  );
}

function isUsed(text: string): boolean {
  const steps = text.split('.');
  return steps.some((_, index) => {
    const key = steps.slice(index + 1).join('.');
    return (
      places.has(steps.slice(0, index + 1).join('.')) && (literals.has(key) || templates.some((form) => form.test(key)))
    );
  });
}

test('every text of the language files is drawn somewhere', () => {
  expect(pathsOf(texts).filter((text) => !isUsed(text))).toEqual([]);
});
