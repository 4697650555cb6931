import { expect, test } from 'vitest';
import { redactSecretsIn, redactText, redactValue } from '@/lib/chat/sharing/redact';
import { pickRenderedData } from '@/lib/chat/sharing/to-shared-thread';

test.each([
  ['Write to carla.d+x@mail.example.test now', 'Write to [e-mail] now'],
  ['Card 4242 4242 4242 4242, thanks', 'Card [number], thanks'],
  ['Paid with •••• 4242', 'Paid with [number]'],
  ['Paid with **** **** **** 4242', 'Paid with [number]'],
  ['Card ending in 4242', 'Card ending in [number]'],
  ['Your order ord_0123456789ab', 'Your order [order]'],
  ['**bold** 12 and 2024', '**bold** 12 and 2024'],
])('redaction shows %s as %s', (text, shown) => {
  expect(redactText(text)).toBe(shown);
});

// A rule that backtracks exceeds the time limit on these texts.
test.each(['*', 'x', 'a', '-eyJ', 'a@', '*x ', 'a.', '@', '1 ', 'eyJ.'])(
  'redaction takes linear time for %s repeated',
  (text) => {
    expect(redactText(text.repeat(100_000))).not.toBe('');
  },
  5_000,
);

test('redaction masks members with secret-like names and card numbers stored as numbers', () => {
  const data = { password: 'hunter2', tokens: 1_200, deep: [{ access_token: 'opaque', card: 4_242_424_242_424_242 }] };
  expect(redactValue(data)).toEqual({
    password: '[secret]',
    tokens: 1_200,
    deep: [{ access_token: '[secret]', card: '[number]' }],
  });
  expect(redactSecretsIn(data)).toEqual({
    ...data,
    password: '[secret]',
    deep: [{ ...data.deep[0], access_token: '[secret]' }],
  });
});

test('a shared table or chart contains only its rendered data', () => {
  const table = {
    kind: 'table',
    title: 'Prices',
    columns: ['name', { key: 'price', type: 'number', note: 'internal' }],
    rows: [{ name: 'Pizza', price: 8, phone: '555' }, ['Wine', 4, 'hidden']],
    customer: { name: 'Ada' },
  };
  expect(pickRenderedData('table', table)).toEqual({
    kind: 'table',
    title: 'Prices',
    columns: ['name', { key: 'price', type: 'number' }],
    rows: [{ name: 'Pizza', price: 8 }, ['Wine', 4]],
  });
  const chart = { type: 'bar', x: { values: ['a'], ids: [1] }, series: [{ name: 's', values: [1], user: 'Ada' }] };
  expect(pickRenderedData('chart', { ...chart, owner: 'Ada' })).toEqual({
    kind: 'chart',
    type: 'bar',
    x: { values: ['a'] },
    series: [{ name: 's', values: [1] }],
  });
  expect(pickRenderedData('table', { kind: 'table' })).toBeNull();
});
