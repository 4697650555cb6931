import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeNext, withNext } from '@/lib/identity/schema';

const own = 'https://parley.example';

/** Spellings of external addresses, from open redirect collections and some of our own. */
const elsewhere = [
  'https://evil.example',
  'http://evil.example/',
  'HTTPS://evil.example',
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '//evil.example/%2f..',
  '///evil.example/%2f%2e%2e',
  '/\\evil.example',
  '/\\/evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '\\evil.example',
  '/\\\\evil.example',
  '//\\evil.example',
  '/%5cevil.example',
  '/%5c%5cevil.example',
  '/%5C/evil.example',
  '/%2fevil.example',
  '/%2f%2fevil.example',
  '/%2F/evil.example',
  '/%2f%5cevil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/./\\evil.example',
  '/../\\evil.example',
  '/a/..//evil.example',
  '/a/../..//evil.example',
  '/%2e//evil.example',
  '/%2e%2e//evil.example',
  '/.%2e//evil.example',
  '/%2e/%2fevil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '/\r\n/evil.example',
  '\t//evil.example',
  '\n//evil.example',
  ' //evil.example',
  '/ /evil.example',
  '/%09/evil.example',
  '/%0a/evil.example',
  '/%0d%0aLocation:%20https://evil.example',
  '/%0d%0aSet-Cookie:parley=1',
  '/\u0000/evil.example',
  '/%00/evil.example',
  '/\u007f/evil.example',
  '/\u0085/evil.example',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript://%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'mailto:a@evil.example',
  'file:///etc/passwd',
  'blob:https://evil.example/1',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  'http:\\\\evil.example',
  'https://parley.example@evil.example',
  'https://parley.example.evil.example',
  'https://evil.example#parley.example',
  'https://evil.example?parley.example',
  '@evil.example',
  'parley.example@evil.example',
  '.evil.example',
  ';@evil.example',
  '〱evil.example',
  '／／evil.example',
  '⁄/evil.example',
  '?next=//evil.example',
  '#//evil.example',
  'agents',
  './agents',
  '../agents',
  '',
  '/%',
  '/%zz',
  '/%e0%a4%a',
  `/${'a'.repeat(3_800)}`,
  `/agents?q=${'%20'.repeat(800)}`,
];

describe('safeNext (RED-1)', () => {
  test('is tested with at least 60 distinct URLs', () => {
    expect(new Set(elsewhere).size).toBe(elsewhere.length);
    expect(elsewhere.length).toBeGreaterThanOrEqual(60);
  });

  test.each(elsewhere.map((spelling) => [JSON.stringify(spelling), spelling]))(
    'replaces %s with the home page',
    (_shown, spelling) => {
      expect(safeNext(spelling)).toBe('/');
    },
  );

  test.each([[undefined], [null], [7], [['/agents', '//evil.example']], [{ toString: () => '//evil.example' }]])(
    'replaces a value that is not text with the home page: %s',
    (value) => {
      expect(safeNext(value)).toBe('/');
    },
  );

  test.each([
    ['/'],
    ['/agents'],
    ['/agents?q=pizza&tag=food'],
    ['/agents/analyst#skills'],
    ['/chat/new?agent=pizzeria&text=a%20b%0Ac'],
    ['/chat?to=https://evil.example//x'],
    ['/@me'],
    ['/a:b/c;d=1'],
    ['/agents/a%2Fb'],
    ['/agents/%D0%BF%D0%B8%D1%86%D1%86%D0%B0'],
    [`/oauth/authorize?state=${'a'.repeat(3_700)}`],
  ])('keeps a path in Parley: %s', (path) => {
    expect(safeNext(path)).toBe(path);
  });

  test('returns a normalized path in plain ASCII', () => {
    expect(safeNext('/agents/../chat')).toBe('/chat');
    expect(safeNext('/agents/пицца')).toBe('/agents/%D0%BF%D0%B8%D1%86%D1%86%D0%B0');
  });

  test('keeps the browser on Parley’s origin, whatever the input, even after a second pass', () => {
    const pieces = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2f',
      '%5c',
      '%2e',
      '\t',
      '\n',
      '@',
      ':',
      'evil.example',
      'a',
      '?',
      '#',
      ' ',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 8 }).map((some) => some.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const next = safeNext(text);
        const resolved = new URL(next, own);
        expect(resolved.origin).toBe(own);
        expect(`${resolved.pathname}${resolved.search}${resolved.hash}`).toBe(next);
        expect(next).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
        expect(safeNext(next)).toBe(next);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('withNext', () => {
  test('adds the return path, except for the home page', () => {
    expect(withNext('/sign-in', '/')).toBe('/sign-in');
    expect(withNext('/sign-in', '/agents?q=a b')).toBe('/sign-in?next=%2Fagents%3Fq%3Da+b');
    expect(withNext('/sign-in', '/chat', { error: 'x' })).toBe('/sign-in?error=x&next=%2Fchat');
  });
});
