import { describe, expect, test } from 'vitest';
import { freeSlug, slugFault, slugOf } from '@/lib/catalog/names/folded-text';

describe('the slug of a name', () => {
  test.each([
    ['My Cool Agent', 'my-cool-agent'],
    ['  Spaces   everywhere ', 'spaces-everywhere'],
    ['Café Ünïcode', 'cafe-unicode'],
    ['Straße & Søn', 'strasse-son'],
    ["Domino's Pizza", 'dominos-pizza'],
    ['C++ helper', 'c-helper'],
    ['GPT-4 翻訳', 'gpt-4'],
    ['ﬁne print', 'fine-print'],
    ['Admin', 'admin-agent'],
    ['new', 'new-agent'],
  ])('for %s is %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
    expect(slugFault(slug)).toBeNull();
  });

  test.each(['翻訳エージェント', 'مترجم', '🍕', '2000', 'x'])(
    'for %s, which has no letters that can be romanized, is agent-<6>',
    (name) => {
      expect(slugOf(name)).toMatch(/^agent-[0-9a-z]{6}$/);
      expect(slugOf(name)).not.toBe(slugOf(name));
    },
  );

  test('leaves room for a number if the name has 80 letters', () => {
    expect(slugFault(`${slugOf('n'.repeat(80))}-99`)).toBeNull();
  });
});

test('a taken slug gets the first free number', () => {
  expect(freeSlug('echo', new Set(['echo-2']))).toBe('echo');
  expect(freeSlug('echo', new Set(['echo', 'echo-2', 'echoes']))).toBe('echo-3');
});

test.each(['', 'a', 'Upper', 'under_score', '-lead', 'trail-', 'two--hyphens', 'ünï', 'a/b', 'a'.repeat(49), '../x'])(
  'the slug "%s" is rejected with the expected format',
  (slug) => {
    expect(slugFault(slug)).toMatch(/expected 2 to 48 lowercase letters/);
  },
);

test.each(['new', 'api', 'admin', 'search', 'www', 'parley', 'agents', 'settings', 'preview', 'well-known'])(
  'the slug "%s" is reserved',
  (slug) => {
    expect(slugFault(slug)).toMatch(/reserved/);
  },
);
