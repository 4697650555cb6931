import { Message, Role } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { analystCard } from '@/examples/agents/analyst/card';
import { decode, findCsv, findPasted, MAX_BYTES } from '@/examples/agents/analyst/find-csv';
import { readEnvironment } from '@/examples/agents/shared/environment';

const origin = 'http://127.0.0.1:4002';
const environment = readEnvironment('analyst', {
  ...{ PORT: '4002', PUBLIC_URL: origin, PARLEY_URL: 'http://127.0.0.1:3000' },
  ...{ PARLEY_CLIENT_ID: 'app_1', PARLEY_CLIENT_SECRET: 'secret' },
});

function message(...parts: object[]): Message {
  return { ...Message.fromJSON({ messageId: 'm', parts }), role: Role.ROLE_USER };
}

function file(bytes: Buffer | string, filename: string, mediaType = ''): object {
  return { raw: Buffer.from(bytes).toString('base64'), filename, mediaType };
}

describe('the search for a CSV file in a message', () => {
  it('returns the sample table for every example on the card', () => {
    const examples = analystCard(environment).skills.flatMap((skill) => skill.examples);
    expect(examples).toHaveLength(2);
    for (const text of examples) {
      expect(findCsv(message({ text }))).toMatchObject({ kind: 'csv', name: 'sample.csv' });
    }
  });

  it('returns the attached file, whatever the other attachments and the text', () => {
    const parts = [
      { text: 'a,b\n1,2\n3,4' },
      file('%PDF\0', 'x.pdf', 'application/pdf'),
      file('c,d\n5,6', 'data.csv', 'text/csv'),
    ];
    expect(findCsv(message(...parts))).toEqual({ kind: 'csv', name: 'data.csv', text: 'c,d\n5,6' });
  });

  it.each([
    ['', 'text/csv'],
    ['data.CSV', 'application/octet-stream'],
    ['data.tsv', 'image/png'],
    ['data', 'application/vnd.ms-excel'],
  ])('accepts a file named %j of type %j', (filename, mediaType) => {
    expect(findCsv(message(file('a,b\n1,2', filename, mediaType))).kind).toBe('csv');
  });

  it.each([
    ['a link', { url: 'http://127.0.0.1/x.csv', mediaType: 'text/csv' }, /^I do not fetch files from links/],
    ['a picture', file('\x89PNG', 'x.png', 'image/png'), /^x\.png is image\/png; I read CSV only\.$/],
    ['bytes under a wrong name', file(Buffer.from([1, 0, 2]), 'x.csv'), /^x\.csv is a binary file; I read CSV only\.$/],
    ['an empty file', file('', 'x.csv'), /^x\.csv is empty\.$/],
    [
      'a file that is too large',
      file(Buffer.alloc(MAX_BYTES + 1, 'a'), 'x.csv'),
      /^The CSV is 2\.0 MB; I can read up to 2 MB/,
    ],
    [
      'a text that is too large',
      { text: 'a,b\n'.repeat(MAX_BYTES / 4 + 1) },
      /^The CSV is 2\.0 MB; I can read up to 2 MB/,
    ],
    ['prose', { text: 'Hello, can you help me, please' }, /^I found no CSV in your message\.$/],
    ['data', { data: { rows: [] } }, /^I found no CSV in your message\.$/],
  ])('rejects %s', (_name, part, reason) => {
    expect(findCsv(message(part))).toEqual({ kind: 'none', reason: expect.stringMatching(reason) });
  });
});

describe('the search for CSV in text', () => {
  const csv = 'name,age\nAda,36\nBob,41';

  it.each([
    ['alone', csv],
    ['after a sentence', `Please profile this, thanks:\n${csv}`],
    ['before a question', `${csv}\n\nWhat stands out?`],
    ['in a fence', `Here, as you asked:\n\`\`\`csv\n${csv}\n\`\`\`\nThanks, bye`],
  ])('finds a table: %s', (_name, text) => {
    expect(findPasted(text)).toBe(csv);
  });

  it('supports another separator, with commas inside', () => {
    expect(findPasted('Stadt;Preis\nBerlin;1,5\nKöln;2,5')).toBe('Stadt;Preis\nBerlin;1,5\nKöln;2,5');
    expect(findPasted('a\tb\nx, y\t1\nz\t2')).toBe('a\tb\nx, y\t1\nz\t2');
  });

  it.each(['Hello, Ada\nGoodbye, Bob', 'one line, with, commas', '', 'no separators\nat all'])(
    'finds no table in %j',
    (text) => {
      expect(findPasted(text)).toBeNull();
    },
  );
});

describe('file decoding', () => {
  it('supports UTF-8, UTF-16 with a byte order mark, and Latin-1', () => {
    expect(decode(Buffer.from('Köln'))).toBe('Köln');
    expect(decode(Buffer.from('\uFEFFKöln', 'utf16le'))).toBe('Köln');
    expect(decode(Buffer.from('Köln', 'latin1'))).toBe('Köln');
    expect(decode(Buffer.from('a\0b'))).toBeNull();
  });
});
