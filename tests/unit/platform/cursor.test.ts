import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cursorText, cursorTime, defineCursor, invalidCursor, unknownCursor } from '@/lib/platform/db/cursor';
import { ParleyError } from '@/lib/platform/errors';

const position = z.object({ at: cursorTime, id: cursorText(20), rank: z.int() });
const letters = defineCursor({ list: 'letters', position });
const last = { at: new Date('2026-01-02T03:04:05.678Z'), id: 'let_1', rank: 3 };

function textOf(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('a cursor', () => {
  test('keeps its position after a round trip', () => {
    const positions = fc.record({
      at: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z') }),
      id: fc.string({ unit: 'grapheme', maxLength: 10 }).filter((text) => text.length <= 20 && !text.includes('\0')),
      rank: fc.maxSafeInteger(),
    });
    fc.assert(
      fc.property(positions, (any) => {
        expect(letters.decode(letters.encode(any))).toEqual(any);
      }),
    );
  });

  test('contains only its row’s position, and requires no escaping in a URL', () => {
    const row = { ...last, secret: 'hidden' };
    expect(letters.encode(row)).toBe(letters.encode(last));
    expect(letters.encode({ ...last, id: 'ö?&/+' })).toMatch(/^[\w-]+$/);
  });

  const others: [string, string][] = [
    ['empty text', ''],
    ['text that is not base64url', '%00'],
    ['base64url of other text', Buffer.from('letters').toString('base64url')],
    ['a number', textOf(7)],
    ['an object', textOf({ list: 'letters', ...last })],
    ['a cursor of another list', defineCursor({ list: 'parcels', position }).encode(last)],
    ['a truncated cursor', letters.encode(last).slice(0, -3)],
    ['a missing member', textOf(['letters', last.at, last.id])],
    ['an extra member', textOf(['letters', last.at, last.id, 3, 4])],
    ['a wrong type', textOf(['letters', last.at, last.id, '3'])],
    ['a number that is not an integer', textOf(['letters', last.at, last.id, 0.5])],
    ['text that is not a time', textOf(['letters', 'yesterday', last.id, 3])],
    ['a text that is too long', textOf(['letters', last.at, 'x'.repeat(21), 3])],
    ['NUL, which PostgreSQL rejects', textOf(['letters', last.at, 'let\0', 3])],
    ['a cursor that is too long', `${letters.encode(last)}${'='.repeat(4_000)}`],
  ];

  test.each(others)('is rejected if it is %s', (_, text) => {
    expect(letters.find(text)).toBeNull();
    expect(() => letters.decode(text)).toThrow(invalidCursor());
  });

  test('from another list is rejected with the list’s own error', () => {
    const refuse = (text: string): ParleyError => new ParleyError('invalid_params', `found ${text}`);
    const strict = defineCursor({ list: 'letters', position, refuse });
    expect(() => strict.decode('x')).toThrow('found x');
    expect(unknownCursor('y'.repeat(99)).message).toContain(`found "${'y'.repeat(40)}";`);
    expect(invalidCursor('no').data).toEqual({ faults: [{ pointer: '/cursor', message: 'no' }] });
  });
});

describe('a page', () => {
  const rows = [1, 2, 3].map((rank) => ({ ...last, rank, name: `letter ${rank}` }));

  test('contains its last row’s cursor if the query found more', () => {
    const { rows: page, nextCursor } = letters.pageOf(rows, 2);
    expect(page).toEqual(rows.slice(0, 2));
    expect(letters.decode(nextCursor ?? '')).toEqual({ ...last, rank: 2 });
  });

  test.each([[3], [4]])('with at most %d rows is the last page if the query found no more', (limit) => {
    expect(letters.pageOf(rows, limit)).toEqual({ rows, nextCursor: null });
    expect(letters.pageOf([], limit)).toEqual({ rows: [], nextCursor: null });
  });
});
