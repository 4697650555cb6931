// Runs in a process of its own: the renderers of code and math are loaded once per process.
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { closeOpenMarks } from '@/components/chat/parts/markdown/close-open-marks';
import { MarkdownBlocks } from '@/components/chat/parts/markdown/markdown-blocks';
import { withTexts } from '../../support/with-texts';
import { attributesOf, readableText, renderMarkdown, tagsOf } from './render-markdown';

describe('rendered Markdown', () => {
  test('contains headings one level below the message, so that the page’s outline has no gaps', () => {
    const html = renderMarkdown('# a\n\n#### b\n\nc\n=');
    expect(html.match(/<h\d/g)).toEqual(['<h3', '<h3', '<h3']);
  });

  test('contains tables in a frame that scrolls by keyboard, without a header for an empty corner', () => {
    const html = renderMarkdown('| | b |\n|---|--:|\n| 1 | 2 |');
    expect(html).toMatch(/<div[^>]*tabindex="0"[^>]*overflow-x-auto[^>]*><table/);
    expect(html.match(/<th /g)).toHaveLength(1);
    expect(html).toContain('style="text-align:right"');
  });

  test('contains code with its language that is copied exactly', () => {
    const html = renderMarkdown('```ts\nconst a = 1;\n\n  b();\n```');
    expect(html).toContain('<code>const a = 1;\n\n  b();</code>');
    expect(attributesOf(html, 'aria-label')).toContain('Copy ts');
  });

  test('contains task list states as text, not as form controls', () => {
    const html = renderMarkdown('- [x] bread\n- [ ] milk');
    expect(tagsOf(html)).not.toContain('input');
    expect(readableText(html).replace(/\s+/g, ' ').trim()).toBe('Done: bread To do: milk');
  });

  test('has a separate text direction for each block', () => {
    const html = renderMarkdown('שלום\n\n- مرحبا\n\n> hello\n\n> **1.** שלום\n>\n> hello');
    expect(html).toMatch(/<blockquote[^>]* dir="rtl"/);
    expect(html).toMatch(/<ul[^>]* dir="rtl"[^>]*>\s*<li[^>]* dir="rtl"/);
    expect(html).toMatch(/<blockquote[^>]* dir="ltr"/);
  });

  test('keeps single line breaks', () => {
    expect(renderMarkdown('one\ntwo\n- three\n  four').match(/<br\/>/g)).toHaveLength(2);
  });

  test('leaves single tildes as text, and strikes through text between double tildes', () => {
    const html = renderMarkdown('~5 to ~10 minutes, ~~not~~ 20');
    expect(html).toContain('~5 to ~10 minutes');
    expect(html).toContain('<del>not</del>');
  });

  test('treats <br> as a line break in a table and as text elsewhere', () => {
    const html = renderMarkdown('| a |\n|---|\n| x<br>y<BR />z `<br>` |\n\nno <br> here');
    expect(html.match(/<br\/>/g)).toHaveLength(2);
    expect(readableText(html)).toContain('no <br> here');
    expect(html).toContain('&lt;br&gt;</code>');
  });

  test.each([
    ['请看https://a.example/x，谢谢', ['https://a.example/x'], '，谢谢'],
    ['（https://a.example/x）。', ['https://a.example/x'], '）。'],
    ['https://a.example、https://b.example/y。', ['https://a.example/', 'https://b.example/y'], '。'],
    ['www.a.example。次', ['http://www.a.example/'], '。次'],
    ['「https://a.example/?q=1」', ['https://a.example/?q=1'], '」'],
    ['https://a.example/日本 end', ['https://a.example/%E6%97%A5%E6%9C%AC'], ' end'],
  ])('ends a URL at CJK punctuation: %s', (markdown, links, rest) => {
    const html = renderMarkdown(markdown);
    expect(attributesOf(html, 'href')).toEqual(links);
    expect(readableText(html).endsWith(rest)).toBe(true);
  });

  test('keeps a link’s URL if it contains delimiters', () => {
    expect(attributesOf(renderMarkdown('[x](https://a.example/a，b) <https://a.example/c。>'), 'href')).toEqual([
      'https://a.example/a%EF%BC%8Cb',
      'https://a.example/c%E3%80%82',
    ]);
  });

  test('can define a link in another block', () => {
    expect(attributesOf(renderMarkdown('See [docs].\n\nMore.\n\n[docs]: https://docs.example'), 'href')).toEqual([
      'https://docs.example/',
    ]);
  });
});

describe('footnotes', () => {
  const text =
    'a[^1] b[^note] a again[^1]\n\n[^note]: see **there**\n\n    and here\n[^1]: https://a.example/x\n\nEnd.';

  test('are numbered by first reference and listed once, at the end', () => {
    const html = renderMarkdown(text);
    expect([...html.matchAll(/<sup[^>]*>.*?>(\d+)<\/a>/g)].map(([, number]) => number)).toEqual(['1', '2', '1']);
    expect(html.match(/<ol aria-label="Footnotes"/g)).toHaveLength(1);
    expect(readableText(html)).toMatch(/End\..*https:\/\/a\.example\/x.*see there.*and here/s);
  });

  test('link to their text and back by ids that are unique on a page with many messages', () => {
    const html = renderToStaticMarkup(
      withTexts(
        createElement(
          'div',
          null,
          createElement(MarkdownBlocks, { text: 'a[^1]\n\n[^1]: b' }),
          createElement(MarkdownBlocks, { text: 'a[^1]\n\n[^1]: b' }),
        ),
      ),
    );
    const ids = attributesOf(html, 'id');
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(4);
    for (const href of attributesOf(html, 'href')) expect(ids).toContain(href.slice(1));
  });

  test('keep their text if unreferenced, and references without a footnote remain text', () => {
    expect(readableText(renderMarkdown('x\n\n[^9]: orphan'))).toContain('orphan');
    expect(readableText(renderMarkdown('x[^7]'))).toBe('x[^7]');
  });

  test('are not parsed in code', () => {
    expect(readableText(renderMarkdown('```\n[^1]: code\n```'))).toContain('[^1]: code');
  });
});

/** The formulas of a message, as their source. */
function formulasOf(markdown: string): string[] {
  return [...renderMarkdown(markdown).matchAll(/<code class="[^"]*" dir="ltr">([^<]*)<\/code>/g)].map(([, tex = '']) =>
    tex.replace(/&amp;/g, '&').replace(/&lt;/g, '<').replace(/&gt;/g, '>'),
  );
}

describe('the math parser', () => {
  test.each([
    ['The area is $\\pi r^2$.', ['\\pi r^2']],
    ['$x$ and $y_1$, then $20$', ['x', 'y_1', '20']],
    ['so \\(a^2 + b^2\\) holds', ['a^2 + b^2']],
    ['$$\nx = 1\n\n+ y\n$$\n\nafter', ['x = 1\n\n+ y']],
    ['$$ E = mc^2 $$', ['E = mc^2']],
    ['Then:\n$$\n\\frac{a}{b}\n$$', ['\\frac{a}{b}']],
    ['\\[\n\\sum_i x_i\n\\]', ['\\sum_i x_i']],
    ['\\[ x = 1 \\]', ['x = 1']],
    ['- item\n\n  $$\n  z^2\n  $$', ['z^2']],
    ['> $$\n> q^2\n> $$', ['q^2']],
    ['```math\na < b\n```', ['a < b']],
    ['| a |\n|---|\n| $x^2$ |', ['x^2']],
    ['公式$x$在这里', ['x']],
  ])('finds a formula in %j', (markdown, formulas) => {
    expect(formulasOf(markdown)).toEqual(formulas);
  });

  test.each([
    'It costs $5 and $10.',
    'between $5-$10 or $5–$10',
    'US$5 and US$10',
    '$5/month or 10$/year',
    'I have $5 and you have 3$.',
    '($5) vs ($10)',
    '**$5** and **$10**',
    'set $HOME and $PATH, or $HOME:$PATH',
    '`$x$` and \\$x\\$',
    'call foo\\(bar\\) or see \\[link\\]',
    '$$ never closed',
    'a $ b $ c',
  ])('finds no formula in %j', (markdown) => {
    expect(formulasOf(markdown)).toEqual([]);
  });

  test('hides an incomplete formula, but shows similar text after a limit', () => {
    expect(readableText(renderMarkdown('So\n\n$$\n\\frac{1', true))).toBe('So');
    expect(readableText(renderMarkdown('So \\(x^', true)).trim()).toBe('So');
    expect(readableText(renderMarkdown(`costs $$ ${'word '.repeat(300)}`, true))).toContain('word');
  });
});

describe('text that is still streaming', () => {
  test.each([
    ['Hello **bo', 'Hello **bo**'],
    ['Hello **', 'Hello '],
    ['Hello **bold*', 'Hello **bold**'],
    ['Hello **bold ', 'Hello **bold**'],
    ['***both', '***both***'],
    ['1. *a _b', '1. *a _b_*'],
    ['~~gone', '~~gone~~'],
    ['`code', '`code`'],
    ['`**not bold', '`**not bold`'],
    ['> quote **a', '> quote **a**'],
    ['# head _a', '# head _a_'],
    ['- **a', '- **a**'],
    ['see [the docs](https://ex', 'see the docs'],
    ['see [the do', 'see the do'],
    ['![alt](https://ex', 'alt'],
    ['Para\n-', 'Para\n'],
    ['Para\n==', 'Para\n'],
    ['text\n``', 'text\n'],
    ['| a | b |', ''],
    ['| a | b |\n|--', ''],
    ['| a | b |\n|---|---|\n| 1', '| a | b |\n|---|---|\n| 1'],
  ])('shows %j as %j', (written, shown) => {
    expect(closeOpenMarks(written)).toBe(shown);
  });

  test.each([
    'Nothing open here.',
    'done **x** and *y* and `z`',
    'snake_case_name and a_b',
    '2 * 3 = 6',
    'see [docs](https://docs.example)',
    '```js\nconst a = "**";',
    '1. item\n   ```\n   **x',
    'C:\\*',
    'a \\* b',
    '42',
  ])('shows %j unchanged', (written) => {
    expect(closeOpenMarks(written)).toBe(written);
  });

  test('is completed only at its end, not in earlier or finished text', () => {
    expect(renderMarkdown('**a\n\n**b', true)).toMatch(/\*\*a<\/p>.*<strong[^>]*>b<\/strong>/s);
    expect(readableText(renderMarkdown('**b'))).toBe('**b');
  });

  test('shows an open fence as code from its first line on', () => {
    expect(renderMarkdown('```js\nlet a', true)).toContain('<code>let a</code>');
  });
});
