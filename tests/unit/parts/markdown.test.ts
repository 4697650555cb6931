import { describe, expect, test } from 'vitest';
import { closeOpenMarks } from '@/components/chat/parts/markdown/close-open-marks';
import { attributesOf, readableText, renderMarkdown, tagsOf } from './render-markdown';

describe('Markdown is drawn', () => {
  test('headings of any level are one step below the message, so that the outline of the page has no gaps', () => {
    const html = renderMarkdown('# a\n\n#### b\n\nc\n=');
    expect(html.match(/<h\d/g)).toEqual(['<h3', '<h3', '<h3']);
  });

  test('tables scroll in a frame that the keyboard reaches, and an empty corner heads nothing', () => {
    const html = renderMarkdown('| | b |\n|---|--:|\n| 1 | 2 |');
    expect(html).toMatch(/<div[^>]*tabindex="0"[^>]*overflow-x-auto[^>]*><table/);
    expect(html.match(/<th /g)).toHaveLength(1);
    expect(html).toContain('style="text-align:right"');
  });

  test('code is copied exactly and names its language', () => {
    const html = renderMarkdown('```ts\nconst a = 1;\n\n  b();\n```');
    expect(html).toContain('<code>const a = 1;\n\n  b();</code>');
    expect(attributesOf(html, 'aria-label')).toContain('Copy ts');
  });

  test('tasks of a list are told in words, not by a form control', () => {
    const html = renderMarkdown('- [x] bread\n- [ ] milk');
    expect(tagsOf(html)).not.toContain('input');
    expect(readableText(html).replace(/\s+/g, ' ').trim()).toBe('Done: bread To do: milk');
  });

  test('text of every direction gets its own', () => {
    const html = renderMarkdown('שלום\n\n- مرحبا\n\n> hello');
    expect(attributesOf(html, 'dir').every((dir) => dir === 'auto')).toBe(true);
    expect(attributesOf(html, 'dir').length).toBeGreaterThanOrEqual(4);
  });

  test('footnotes keep all their text', () => {
    const text = readableText(renderMarkdown('a[^1] b[^2]\n\n[^1]: https://a.example/x\n\n[^2]: see there'));
    expect(text.replace(/\s+/g, ' ')).toBe('a[^1] b[^2][^1]: https://a.example/x (opens in a new tab)[^2]: see there');
  });

  test('a link may be defined in another block', () => {
    expect(attributesOf(renderMarkdown('See [docs].\n\nMore.\n\n[docs]: https://docs.example'), 'href')).toEqual([
      'https://docs.example/',
    ]);
  });
});

describe('text that is still being written is shown whole', () => {
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
  ])('%j is shown as %j', (written, shown) => {
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
  ])('%j stays as it is', (written) => {
    expect(closeOpenMarks(written)).toBe(written);
  });

  test('the end of the text is treated so, what comes before and finished text is not', () => {
    expect(renderMarkdown('**a\n\n**b', true)).toMatch(/\*\*a<\/p>.*<strong[^>]*>b<\/strong>/s);
    expect(readableText(renderMarkdown('**b'))).toBe('**b');
  });

  test('an open fence is code from its first line on', () => {
    expect(renderMarkdown('```js\nlet a', true)).toContain('<code>let a</code>');
  });
});
