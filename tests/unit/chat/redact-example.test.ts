import { expect, test } from 'vitest';
import { redactExample } from '@/lib/chat/sharing/redact';

test.each([
  ['an email address', 'Write to ada@example.org', 'Write to [e-mail]'],
  ['a card number', 'Pay with 4242 4242 4242 4242 now', 'Pay with [number] now'],
  ['an IBAN', 'Send it to DE89 3704 0044 0532 0130 00', 'Send it to [number]'],
  ['an international phone number', 'Call +39 041 123 4567.', 'Call [phone].'],
  ['a number with 00', 'Call 0049 30 1234567', 'Call [phone]'],
  ['a national phone number', 'My phone: 030 12345678', 'My phone: [phone]'],
  ['a number with an area code', 'Ring (030) 1234567', 'Ring [phone]'],
  ['a North American number', 'Ring 555-123-4567', 'Ring [phone]'],
  ['a Parley access token', `use parley_pat_${'a1'.repeat(20)}`, 'use [secret]'],
  ['a provider key', 'my key sk-proj-abcdef0123456789abcdef', 'my key [secret]'],
  ['a cloud key', 'AKIAIOSFODNN7EXAMPLE', '[secret]'],
  ['a password after its name', 'password: hunter2!', 'password: [secret]'],
  ['a password in a sentence', 'The passcode is 8841', 'The passcode is [secret]'],
  ['a bearer token', 'Authorization: Bearer abcdef1234567890', 'Authorization: Bearer [secret]'],
  ['a long hex key', `key ${'0123456789abcdef'.repeat(3)}`, 'key [secret]'],
  ['a private key', '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----', '[secret]'],
])('example redaction masks %s', (_, text, expected) => {
  expect(redactExample(text)).toBe(expected);
});

test.each([
  'A large margherita for €10.50, please.',
  'On 2026-11-20 at 19:30, for 4 people.',
  'Rows: 12,345; mean 3.14159; p95 309 ms.',
  'See https://example.com/docs/2026/guide-to-the-city for more.',
  'Order 1234567 arrives in 30 minutes.',
])('example redaction leaves %o unchanged', (text) => {
  expect(redactExample(text)).toBe(text);
});

test('example redaction takes linear time for long runs of characters', () => {
  const startedAt = performance.now();
  for (const run of ['0 '.repeat(20_000), 'a1'.repeat(20_000), '+'.repeat(40_000), 'password is '.repeat(4_000)])
    redactExample(run);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
