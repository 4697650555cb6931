import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeHref } from '@/components/chat/parts/markdown/safe-href';
import { hostileAddresses, hostileLinks, hostileMarkdown } from './hostile-markdown';
import { attributeNamesOf, attributesOf, readableText, renderMarkdown, tagsOf } from './render-markdown';

/** Everything that a message may contain. */
const allowedTags = new Set(
  'a bdi blockquote br button code del div em figcaption figure h3 hr li ol p path pre rect section span strong sup svg table tbody td th thead tr ul'.split(
    ' ',
  ),
);
const allowedAttributes =
  /^(aria-[a-z]+|class|dir|d|fill|focusable|height|href|id|rel|role|rx|scope|start|stroke[a-z-]*|style|tabindex|target|title|type|viewBox|width|x|y)$/;

/** Fails unless a piece of HTML is harmless by construction, for any source text. */
function expectHarmless(html: string): void {
  for (const tag of tagsOf(html)) expect(allowedTags, tag).toContain(tag);
  for (const name of attributeNamesOf(html)) expect(name).toMatch(allowedAttributes);
  for (const href of attributesOf(html, 'href'))
    expect(href).toMatch(/^(https?:\/\/[^@/]+\/|mailto:|#[\w«»:]+(note|ref)-\d+$)/);
  for (const rel of attributesOf(html, 'rel')) expect(rel).toBe('noopener nofollow ugc');
  for (const style of attributesOf(html, 'style'))
    expect(style).toMatch(/^(text-align:(left|right|center)|max-height:32rem)$/);
}

describe('XSS-1: hostile Markdown', () => {
  test('is tested with at least 200 distinct inputs', () => {
    expect(new Set(hostileAddresses).size + new Set(hostileMarkdown).size).toBeGreaterThanOrEqual(200);
  });

  test.each(hostileAddresses)('cannot link to %j', (address) => {
    expect(safeHref(address)).toBeNull();
  });

  test.each(hostileLinks())('does not become a link: %j', (markdown) => {
    const html = renderMarkdown(markdown);
    expectHarmless(html);
    // GFM may find a harmless address inside the text; the hostile one itself never becomes a link.
    for (const href of attributesOf(html, 'href'))
      expect(href).toMatch(/^(https?:\/\/canary[.:/]|https?:\/\/(www\.)?example\.com|mailto:)/i);
  });

  test.each(hostileMarkdown.map((markdown) => [markdown.slice(0, 60), markdown]))(
    'renders without active content: %j',
    (_start, markdown) => {
      expectHarmless(renderMarkdown(markdown));
      expectHarmless(renderMarkdown(markdown, true));
    },
  );

  test('is shown as text if it is HTML, with nothing hidden', () => {
    expect(readableText(renderMarkdown('a <b>c</b> <!-- d -->'))).toBe('a <b>c</b> <!-- d -->');
  });

  test('renders without active content from any text, even if truncated', () => {
    const piece = fc.constantFrom(
      ...hostileMarkdown.filter(({ length }) => length < 200),
      ...hostileAddresses,
      '[',
      '](',
      ')',
      '`',
      '\n\n',
      '|',
      '> ',
    );
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.nat(), (whole, cut) => {
        expectHarmless(renderMarkdown(whole));
        expectHarmless(renderMarkdown(whole.slice(0, cut % (whole.length + 1)), true));
      }),
      { numRuns: 300 },
    );
  });
});

describe('XSS-1: a link', () => {
  test.each([
    ['[docs](https://docs.example/a)', 'docs (opens in a new tab) (docs.example)'],
    ['[https://parley.example](https://evil.example)', 'https://parley.example (opens in a new tab) (evil.example)'],
    [
      '[evil.example.bank.example](https://evil.example)',
      'evil.example.bank.example (opens in a new tab) (evil.example)',
    ],
    ['[write](mailto:ada@mail.example)', 'write (opens in a new tab) (ada@mail.example)'],
    ['https://docs.example/a', 'https://docs.example/a (opens in a new tab)'],
    ['www.docs.example', 'www.docs.example (opens in a new tab)'],
    ['[docs.example](https://docs.example)', 'docs.example (opens in a new tab)'],
    ['![a chart](https://img.example/c.png)', 'Image: a chart (opens in a new tab) (img.example)'],
    [
      '[![a chart](https://img.example/c.png)](https://docs.example)',
      'Image: a chart (opens in a new tab) (docs.example)',
    ],
    ['[x](https://xn--80ak6aa92e.example)', 'x (opens in a new tab) (xn--80ak6aa92e.example)'],
    ['[x](https://аpple.example)', 'x (opens in a new tab) (xn--pple-43d.example)'],
  ])('shows its target: %s', (markdown, text) => {
    expect(readableText(renderMarkdown(markdown))).toBe(text);
  });

  test('opens in a new tab, without an opener and with nofollow', () => {
    expect(renderMarkdown('[a](https://a.example)')).toContain('rel="noopener nofollow ugc" target="_blank"');
  });
});

describe('rendering adversarial text', () => {
  test.each([
    ['quotes in quotes', '>'.repeat(20_000)],
    ['lists in lists', '- '.repeat(10_000)],
    ['numbers in numbers', '1. '.repeat(10_000)],
    ['emphasis that never closes', '*a_ '.repeat(50_000)],
    ['strikes that never close', '~~a'.repeat(50_000)],
    ['code marks of every length', Array.from({ length: 600 }, (_, i) => '`'.repeat(i)).join(' ')],
    ['a megabyte', 'word '.repeat(200_000)],
    ['brackets', '['.repeat(49_000)],
    ['formulas that never close', '\\(x '.repeat(2_900)],
    ['blocks of math that never close', '\\[\n\n'.repeat(2_900)],
    ['dollars', '$a $'.repeat(1_400)],
    ['footnotes', '[^1] '.repeat(2_900).concat('\n\n[^1]: x')],
  ])(
    'finishes in time: %s',
    (_what, text) => {
      // Slower rendering fails at the time limit of the test.
      expect(renderMarkdown(text)).not.toBe('');
      expect(renderMarkdown(text, true)).not.toBe('');
    },
    15_000,
  );

  test('shows oversized content in full, as plain text', () => {
    const text = '*a_ '.repeat(10_000);
    expect(readableText(renderMarkdown(text))).toBe(text);
  });
});
