import { expect, test } from 'vitest';
import { looksPrivate } from '@/lib/concierge/route';

function looksPrivateText(text: string): boolean {
  return looksPrivate([{ kind: 'text', text }]);
}

test.each([
  '-----BEGIN RSA PRIVATE KEY-----\nMIIE',
  'use sk-proj-abcdefghijklmnopqrstuvwx for it',
  'AKIAIOSFODNN7EXAMPLE',
  'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc',
  'my password is hunter22',
  'Passwort: geheim99',
  'API key = abcd1234',
  'Authorization: Bearer abcdefghijkl',
  'postgres://ada:lovelace@db.example/x',
  'pay with 4111 1111 1111 1111',
  'DE89 3704 0044 0532 0130 00',
  'SSN 078-05-1120',
  '9f86d081884c7d659a2feaa0c55ad015',
])('a message with a secret looks private: %s', (text) => {
  expect(looksPrivateText(text)).toBe(true);
});

test.each([
  'Translate this letter into Spanish',
  'Plan a trip to Lisbon for 2 people, 2026-12-01 to 2026-12-08',
  'What is a password manager?',
  'Call me at +49 30 1234567',
  'Order number 1234 5678 9012 3456 7',
  'How do I choose a token for my board game?',
  'Review https://example.com/some/path?query=value',
  '今日の天気は',
])('an ordinary message does not look private: %s', (text) => {
  expect(looksPrivateText(text)).toBe(false);
});

test('a file or data part looks private', () => {
  expect(looksPrivate([{ kind: 'bytes', bytes: 'AAAA' }])).toBe(true);
  expect(looksPrivate([{ kind: 'uri', uri: 'https://a.example/x.pdf' }])).toBe(true);
  expect(looksPrivate([{ kind: 'data', data: {} }])).toBe(true);
});
