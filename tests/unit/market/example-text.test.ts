import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { ExampleText } from '@/components/market/agent-page/example/example-conversation';

const html = (text: string): string => renderToStaticMarkup(createElement(ExampleText, { text }));

describe('the text in an example conversation', () => {
  test('shows paragraphs, lists, bold and code', () => {
    const shown = html('## Result\n\nIt is **good**.\n\n- one\n- `two`');
    expect(shown).toContain('<p class="whitespace-pre-line">Result</p>');
    expect(shown).toContain('<strong>good</strong>');
    expect(shown.match(/<li>/g)).toHaveLength(2);
    expect(shown).toContain('two</code>');
  });

  test.each([
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '[click](javascript:alert(1))',
    '![pixel](https://evil.example/p.png)',
    '**<a href="https://evil.example">bold</a>**',
    '```html\n<iframe src="https://evil.example"></iframe>\n```',
    '- <svg onload=alert(1)>',
  ])('renders %o only as text', (text) => {
    const tags = [...html(text).matchAll(/<\/?([a-z]+)/g)].map(([, tag]) => tag);
    expect(tags.filter((tag) => !['div', 'p', 'ul', 'li', 'pre', 'strong', 'code'].includes(tag ?? ''))).toEqual([]);
    expect(html(text)).not.toMatch(/\s(href|src|on\w+)="/);
  });
});
