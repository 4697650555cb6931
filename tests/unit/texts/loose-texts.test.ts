import { describe, expect, test } from 'vitest';
import { findHardcodedTexts } from '../../../scripts/verify-messages.mjs';

const texts = (source: string): string[] =>
  findHardcodedTexts('a.tsx', source).map((line: string) => line.replace(/^a\.tsx:\d+ /, ''));

describe('hard-coded text', () => {
  test.each([
    ['between tags', 'const a = <p>Try again</p>;', '"Try again"'],
    ['in a single word', 'const a = <p>optional</p>;', '"optional"'],
    ['as the name of a control', 'const a = <button aria-label="Close" />;', '"Close"'],
    ['as one of two alternatives', "const a = <p>{busy ? 'Saving…' : t('save')}</p>;", '"Saving…"'],
    ['with an argument', ['announce(`Copied $', '{what}.`);'].join(''), '"Copied ….'],
    ['in a list of labels', "const labels = { up: 'Answers', down: 'Does not answer' };", '"Does not answer"'],
    ['as the title of a page', "export const metadata = { title: 'Not found' };", '"Not found"'],
  ])('is found %s', (_, source, text) => {
    expect(texts(source).join('\n')).toContain(text);
  });

  test.each([
    ['classes', 'const a = <p className="Flex items-center" />; const base = "flex items-center gap-2";'],
    ['message keys', "const a = <p>{t('Saved.now')}</p>;"],
    ['machine-readable text', 'const a = <code>Agent card</code>;'],
    ['keyboard keys', "if (event.key === 'Enter') send('Escape');"],
    ['text for developers only', "throw new Error('This cannot be');"],
    ['names that are not translated', 'const a = <span>Parley</span>;'],
    ['paths and codes', "fetch('/api/chat'); const kind = 'not_found';"],
  ])('does not include %s', (_, source) => {
    expect(texts(source)).toEqual([]);
  });
});
