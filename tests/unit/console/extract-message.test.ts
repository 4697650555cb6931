import { expect, test } from 'vitest';
import { extractMessage } from '@/lib/console/test-run';

const body = (parts: unknown): string => JSON.stringify({ jsonrpc: '2.0', params: { message: { parts } } });

test('a text message can be resent over JSON-RPC and HTTP+JSON', () => {
  const userMessage = { kind: 'message', parts: [{ text: 'hi' }] };
  expect(extractMessage(body([{ kind: 'text', text: 'hi' }]))).toEqual(userMessage);
  expect(extractMessage(JSON.stringify({ message: { parts: [{ text: 'hi' }] } }))).toEqual(userMessage);
});

test.each(['ap2.mandates.PaymentMandate', 'ap2.mandates.CartMandate', 'checkout_jwt', 'payment_receipt'])(
  'a part with %s is a payment',
  (name) => {
    expect(extractMessage(body([{ kind: 'data', data: { [name]: {} } }]))).toEqual({ kind: 'payment' });
  },
);

test.each([
  ['a truncated body', `${body([{ text: 'hi' }]).slice(0, 30)} …`],
  ['a masked secret', body([{ text: 'token [secret]' }])],
  ['a file', body([{ text: 'see' }, { file: { uri: 'https://x.example' } }])],
  ['no message', '{"jsonrpc":"2.0"}'],
  ['nothing', ''],
])('%s cannot be resent', (_name, text) => {
  expect(extractMessage(text).kind).toBe('unreadable');
});
