import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffParts } from '@/lib/protocol/a2a/core/message-parts';
import type { Part } from '@/lib/protocol/a2a/core/model';

const text = (value: string): Part => ({ kind: 'text', text: value });
const joined = (parts: Part[]): string => parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

test('the missing parts complete a text byte for byte, however the agent splits it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary' })),
      fc.array(fc.string({ unit: 'binary' })),
      fc.nat(),
      (head, tail, cut) => {
        const whole = [...head, ...tail].join('');
        const at = cut % (whole.length + 1);
        const theirs = [whole.slice(0, at), whole.slice(at)].map(text);
        const rest = diffParts(head.map(text), theirs);
        expect(head.join('') + joined(rest ?? [])).toBe(whole);
      },
    ),
  );
});

test('the comparison of histories returns null if they differ', () => {
  expect(diffParts([text('ab')], [text('ax')])).toBeNull();
  expect(diffParts([text('abc')], [text('ab')])).toBeNull();
  expect(diffParts([{ kind: 'data', data: { a: 1 } }], [{ kind: 'data', data: { a: 2 } }])).toBeNull();
});

test('the comparison of histories leaves other kinds of parts in place', () => {
  const file: Part = { kind: 'bytes', bytes: 'AA==', filename: 'a.bin' };
  expect(diffParts([text('a'), file], [text('a'), file, text('b')])).toEqual([text('b')]);
  expect(diffParts([text('a'), file], [text('a'), file])).toEqual([]);
});
