import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { describe, expect, test } from 'vitest';
import { mathSyntax } from '@/components/chat/parts/markdown/math-syntax';
import { definitionsOf, splitBlocks, withDefinitions } from '@/components/chat/parts/markdown/split-blocks';
import { plainSyntax } from '@/components/chat/parts/markdown/text-rules';

/** The parser's own result, without our elements. */
function parse(text: string): string {
  const markdown = createElement(ReactMarkdown, { remarkPlugins: [remarkGfm, plainSyntax, mathSyntax] }, text);
  return renderToStaticMarkup(markdown).replace(/\n/g, '');
}

const line = fc.constantFrom(
  '',
  '',
  '',
  'word',
  '$$',
  '\\[ x = 1',
  'y \\]',
  'two words',
  '- item',
  '-',
  '* item',
  '1. first',
  '2. second',
  '10) tenth',
  '  indented two',
  '   indented three',
  '    indented four',
  '\tindented by a tab',
  '- ```',
  '-     code in an item',
  '```',
  '```js',
  '``` not `a fence',
  '~~~',
  '````',
  '  ```',
  '   ```',
  '    ```',
  '> quote',
  '> ```',
  '> - item in a quote',
  '# heading',
  '---',
  '===',
  '***',
  '- - -',
  '| a | b |',
  '|---|---|',
  '<div>',
  '<!--',
  '  - nested',
  '   - deeper',
  '\u00a0',
  '\\',
);
const document = fc.array(line, { maxLength: 24 }).map((lines) => lines.join('\n'));

describe('splitting Markdown into blocks', () => {
  test('keeps the text when the blocks are joined', () => {
    fc.assert(
      fc.property(fc.oneof(document, fc.string({ unit: 'binary', maxLength: 200 })), (text) => {
        expect(splitBlocks(text).join('')).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  test('parses like the whole text, without splitting a fence, list or table', () => {
    fc.assert(
      fc.property(document, (text) => {
        expect(splitBlocks(text).map(parse).join('')).toBe(parse(text));
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    '- # heading in an item\nword\n  ```\na\n\nb\n  ```',
    'word\n2. second\n   ```\na\n\nb\n   ```',
    'word\n-\n  ```\na\n\nb\n  ```',
    '-     code in an item\n   ```\n```\n\nword',
    '    indented code\n\n2. second',
    '- a\n- - -\n  ```\na\n\nb\n  ```',
    '```\n~~~\n\nword\n```\n\nword',
  ])('parses like the whole text if one line determines the structure: %j', (text) => {
    expect(splitBlocks(text).map(parse).join('')).toBe(parse(text));
  });

  test('leaves every block except the last unchanged if text is appended', () => {
    fc.assert(
      fc.property(document, document, (before, after) => {
        const settled = splitBlocks(before).slice(0, -1);
        expect(splitBlocks(before + after).slice(0, settled.length)).toEqual(settled);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each<[string, string, number]>([
    ['paragraphs', 'a\n\nb\n\nc', 3],
    ['a fence with blank lines', 'a\n\n```js\nb\n\nc\n```\n\nd', 3],
    ['a loose list', '- a\n\n- b\n\n  c\n\nd', 2],
    ['a numbered list with fences at the margin', '1. a\n```sh\nb\n\nc\n```\n2. d\n\ne', 2],
    ['a numbered list with fences inside', '1. a\n\n   ```sh\n   b\n\n   c\n   ```\n\n2. d\n\ne', 2],
    ['a table', '| a |\n|---|\n| b |\n\nc', 2],
    ['a fence that is still open', 'a\n\n```\nb\n\nc', 2],
    ['Windows line endings', 'a\r\n\r\nb\r\n\r\n```\r\nc\r\n\r\nd\r\n```\r\n', 3],
    ['nothing', '', 0],
  ])('creates the expected number of blocks: %s', (_what, text, count) => {
    expect(splitBlocks(text)).toHaveLength(count);
  });

  test('divides a long text into many blocks, so that few of them render again', () => {
    const reply = 'Some text.\n\n- a\n- b\n\n```js\ncode\n\nmore\n```\n\n| a |\n|---|\n| b |\n\n'.repeat(50);
    expect(splitBlocks(reply)).toHaveLength(200);
  });

  test('takes linear time for a long text', () => {
    expect(splitBlocks('- a\nlazy\n  ```\n'.repeat(100_000))).not.toHaveLength(0);
    expect(splitBlocks('word word\n\n'.repeat(100_000))).toHaveLength(100_000);
  }, 20_000);
});

describe('a link definition', () => {
  test('is added only to the blocks that refer to it', () => {
    const blocks = splitBlocks(
      'See [Docs  Page] and [b][1].\n\nPlain.\n\n[docs page]: https://a.example\n[1]: https://b.example "B"\n[2]: /c',
    );
    const definitions = definitionsOf(blocks);
    expect([...definitions.keys()]).toEqual(['docs page', '1', '2']);
    expect(withDefinitions('See [Docs  Page].', definitions)).toBe(
      '[docs page]: https://a.example\n\nSee [Docs  Page].',
    );
    expect(withDefinitions('Plain.', definitions)).toBe('Plain.');
  });

  test('gives every reference the same target in its block as in the whole text', () => {
    const label = fc.constantFrom('a', 'A', 'b c', 'B  c', 'x');
    const piece = fc.oneof(
      fc.tuple(label, label).map(([text, to]) => `[${text}][${to}]`),
      label.map((to) => `see [${to}] here`),
      fc.tuple(label, fc.constantFrom('/one', '/two "t"')).map(([to, address]) => `[${to}]: ${address}`),
      fc.constant('plain'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('\n\n');
        const blocks = splitBlocks(text);
        const definitions = definitionsOf(blocks);
        expect(blocks.map((block) => parse(withDefinitions(block, definitions))).join('')).toBe(parse(text));
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    'text [a]: https://a.example',
    '```\n[a]: https://a.example\n```',
    '[a]: https://a.example trailing words',
    '[ ]: https://a.example',
    '[a]: https://a.example/(open',
    '[a]:\n',
  ])('is not recognized in similar text: %j', (text) => {
    expect(definitionsOf(splitBlocks(text)).size).toBe(0);
  });

  test('renders no content by itself', () => {
    const label = fc.stringMatching(/^[\w^ \\[\]!-]{1,8}$/);
    const rest = fc.stringMatching(/^[\w<>()"' \\:/.-]{1,20}$/);
    fc.assert(
      fc.property(label, rest, (name, address) => {
        for (const line of definitionsOf([`[${name}]:${address}`]).values()) expect(parse(line)).toBe('');
      }),
      { numRuns: 1_000 },
    );
  });
});
