import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const terms = [...readFileSync('docs/site/glossary.mdx', 'utf8').matchAll(/^\| (.+?) \| (.+) \|$/gm)]
  .map(([, term = '', meaning = '']) => ({ term, meaning }))
  .filter(({ term }) => term !== 'Term');

test('the glossary has at least forty terms, in alphabetical order', () => {
  expect(terms.length).toBeGreaterThanOrEqual(40);
  const names = terms.map(({ term }) => term);
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
});

test.each(terms)('$term is explained in one sentence', ({ meaning }) => {
  expect(meaning).toMatch(/^[A-Z][^.]*\.$/);
});
