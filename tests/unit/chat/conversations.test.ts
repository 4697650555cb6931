import { describe, expect, test } from 'vitest';
import { titleOf } from '@/lib/chat/thread/post-message';
import { mergeChunks } from '@/lib/chat/thread/read-thread';
import { artifact, chunk, numbered, status, userMessage } from './thread-events';

describe('a new conversation’s title', () => {
  test('is its first message on one line if that is short', () => {
    expect(titleOf('  Two large\n margheritas\tplease ', [])).toBe('Two large margheritas please');
  });

  test('ends between words, within 48 characters', () => {
    const title = titleOf('Please profile the attached table and tell me what stands out in each of its columns', []);
    expect(title).toBe('Please profile the attached table and tell me…');
    const exact = 'Four words that together have 48 characters here';
    expect(titleOf(exact, [])).toBe(exact);
    expect(titleOf(`${exact} and more`, [])).toBe('Four words that together have 48 characters…');
    expect(titleOf('One thing, then another: the third, and the fourth - fifth', [])).toBe(
      'One thing, then another: the third, and the…',
    );
  });

  test('truncates a text without spaces at a character boundary', () => {
    expect(titleOf('🚀'.repeat(80), [])).toBe(`${'🚀'.repeat(47)}…`);
  });

  test('is the first file’s name if there is no text', () => {
    expect(titleOf(' ', ['sales.csv', 'b.csv'])).toBe('sales.csv');
    expect(titleOf('', [])).toBe('Conversation');
  });

  test('has no control characters, which the database would reject', () => {
    expect(titleOf('a\u0000b', [])).toBe('a b');
    expect(titleOf('', ['\u0000'])).toBe('Conversation');
  });
});

describe('the title of a conversation that begins with a pasted table', () => {
  const csv = 'city,date,price\nRome,2024-01-01,12.5\nMilan,2024-01-01,14';

  test.each([
    ['is the text above it', `What stands out here?\n\n${csv}`, 'What stands out here?'],
    ['is the text below it', `${csv}\n\nWhich city is cheaper?`, 'Which city is cheaper?'],
    ['is the text around a fenced table', `Compare:\n\`\`\`csv\n${csv}\n\`\`\``, 'Compare:'],
    ['names the columns when there is no text', csv, 'Spreadsheet with city, date, and price'],
    ['names the columns of tab-separated text', 'a\tb\n1\t2', 'Spreadsheet with a and b'],
    [
      'keeps prose with commas',
      'Rome, Milan, or Turin?\nBern, Basel, or Chur?',
      'Rome, Milan, or Turin? Bern, Basel, or Chur?',
    ],
    ['keeps a single line with commas', 'red,green,blue', 'red,green,blue'],
  ])('%s', (_, text, title) => {
    expect(titleOf(text, [])).toBe(title);
  });

  test('is the file name if there is no text', () => {
    expect(titleOf(csv, ['prices.csv'])).toBe('prices.csv');
  });
});

describe('merging chunks', () => {
  test('combines consecutive chunks into one step and lists their sequence numbers', () => {
    const joined = mergeChunks(
      numbered([userMessage('go'), chunk('a'), chunk('b', { append: true }), chunk('c', { append: true, last: true })]),
    );
    expect(joined).toHaveLength(2);
    expect(joined[1]).toMatchObject({
      from: 2,
      seq: 4,
      event: { append: false, lastChunk: true, artifact: { parts: [{ text: 'abc' }] } },
    });
  });

  test('stops at another event, another artifact or a replacement', () => {
    const apart = [
      chunk('a'),
      status('working'),
      chunk('b', { append: true }),
      chunk('c', { id: 'other' }),
      chunk('d', { append: true }),
      chunk('e'),
      artifact([{ kind: 'data', data: 1 }], { id: 'third' }),
    ];
    expect(mergeChunks(numbered(apart))).toHaveLength(apart.length);
  });

  test('keeps texts of different types separate', () => {
    const markdown = artifact([{ kind: 'text', text: '# b', mediaType: 'text/markdown' }], { append: true });
    const joined = mergeChunks(numbered([chunk('a'), markdown]));
    expect(joined[0]?.event).toMatchObject({ artifact: { parts: [{ text: 'a' }, { text: '# b' }] } });
  });
});
