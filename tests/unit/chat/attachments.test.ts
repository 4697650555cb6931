import { createTranslator } from 'next-intl';
import { describe, expect, test } from 'vitest';
import { attachmentProblem, mediaTypeOf, readAttachment } from '@/components/chat/parts/form/read-attachment';
import { formatSize, lengthProblem, sizeOf } from '@/components/chat/state/attachments';
import { chatLimits } from '@/lib/chat/schema';
import { acceptsMode } from '@/lib/protocol/a2a/core/card';
import { texts } from '@/lib/texts/en';

const t = createTranslator({ locale: 'en', messages: texts, namespace: 'chat.attachments' });
const room = {
  agentName: 'Analyst',
  modes: ['text/plain', 'text/csv', 'image/*'],
  limits: chatLimits,
  attached: [],
  t,
};
const csv = { name: 'data.csv', size: 10, type: 'text/csv' };

describe('a selected file', () => {
  test('is accepted if its type matches a mode, including ranges', () => {
    expect(attachmentProblem([csv, { name: 'a.png', size: 10, type: 'image/png' }], room)).toBeNull();
  });

  test('is rejected with a sentence that names it and the accepted types', () => {
    const refusal = attachmentProblem([{ name: 'a.zip', size: 10, type: 'application/zip' }], room);
    expect(refusal).toBe(
      'Analyst accepts text/plain, text/csv, image/*, so a.zip (application/zip) can’t be attached.',
    );
  });

  test('is rejected if the agent accepts no files', () => {
    expect(attachmentProblem([csv], { ...room, modes: [] })).toBe(
      'Analyst doesn’t accept files, so data.csv (text/csv) can’t be attached.',
    );
  });

  test('is rejected if all files together exceed the message limit', () => {
    const large = { ...csv, size: chatLimits.fileBytes };
    expect(attachmentProblem([large], room)).toBeNull();
    expect(attachmentProblem([large, csv], room)).toMatch(/total 700 KB; the limit is 700 KB/);
    expect(attachmentProblem([large], { ...room, attached: [{ bytes: 'YWFh' }] })).not.toBeNull();
  });

  test('is rejected if there are too many files', () => {
    expect(attachmentProblem(Array(6).fill(csv), room)).toMatch(/up to 5 files per message; this would be 6/);
  });

  test.each([
    [{ name: 'data.csv', size: 1, type: 'application/vnd.ms-excel' }, 'text/csv'],
    [{ name: 'data.csv', size: 1, type: '' }, 'text/csv'],
    [{ name: 'data.CSV', size: 1, type: 'text/csv; charset=utf-8' }, 'text/csv'],
    [{ name: 'archive', size: 1, type: '' }, 'application/octet-stream'],
    [{ name: 'notes.csv', size: 1, type: 'text/plain' }, 'text/plain'],
  ])('with %j is sent as %s', (file, expected) => {
    expect(mediaTypeOf(file, room.modes)).toBe(expected);
  });

  test('is read byte for byte', async () => {
    const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index % 256);
    const read = await readAttachment(new File([bytes], 'all.png', { type: 'image/png' }), room.modes);
    expect(read).toMatchObject({ name: 'all.png', mediaType: 'image/png' });
    expect(Buffer.from(read.bytes, 'base64').equals(bytes)).toBe(true);
    expect(sizeOf(read)).toBe(20_000);
  });
});

describe('a message with attachments', () => {
  test('with the longest text and the most files is accepted', () => {
    const file = { name: 'a', mediaType: 'text/csv', bytes: Buffer.alloc(chatLimits.fileBytes).toString('base64') };
    expect(lengthProblem({ text: 'x'.repeat(chatLimits.textLength), files: [] }, chatLimits, t)).toBeNull();
    expect(lengthProblem({ text: 'x', files: [file] }, chatLimits, t)).toBeNull();
  });

  test('is rejected with advice, before it is sent, if it is too large', () => {
    const file = { name: 'a', mediaType: 'text/csv', bytes: Buffer.alloc(chatLimits.fileBytes).toString('base64') };
    const [longest, wide] = ['x', 'ü'].map((letter) => letter.repeat(chatLimits.textLength)) as [string, string];
    expect(lengthProblem({ text: `${longest}x`, files: [] }, chatLimits, t)).toMatch(
      /1 character over the limit of 100,000/,
    );
    expect(lengthProblem({ text: wide, files: [file] }, chatLimits, t)).toMatch(/remove a file/);
  });
});

test('file sizes are shown in multiples of a thousand', () => {
  expect([999, 1_000, 12_345, 2_500_000].map((size) => formatSize(size, t))).toEqual([
    '999 B',
    '1 KB',
    '12 KB',
    '2.5 MB',
  ]);
});

test('a card mode accepts only its type or its range', () => {
  expect(acceptsMode(['text/plain; charset=utf-8'], 'TEXT/PLAIN')).toBe(true);
  expect(acceptsMode(['image/*'], 'image/png')).toBe(true);
  expect(acceptsMode(['*/*'], 'a/b')).toBe(true);
  expect(acceptsMode(['text/plain'], 'text/csv')).toBe(false);
  expect(acceptsMode(['image/*'], 'imagery/png')).toBe(false);
  expect(acceptsMode([], 'text/plain')).toBe(false);
});
