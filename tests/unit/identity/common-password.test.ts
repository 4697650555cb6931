import { expect, it } from 'vitest';
import { isCommonPassword } from '@/lib/identity/proofs/password-hash';

it.each([
  'password1234',
  'Password123!',
  'P@ssw0rd2026',
  'qwertyuiop123',
  'letmeinletmein',
  '123456789012',
  'aaaaaaaaaaaa',
  'iloveyou1234',
  'abcdefghijkl',
  'password'.repeat(25),
  'ab1!'.repeat(50),
])('"%s" counts as a common password', async (password) => {
  expect(await isCommonPassword(password)).toBe(true);
});

it.each([
  'correct horse battery',
  'an entirely new sentence',
  'xK9#mQ2$vL',
  'Grüße aus Köln am Rhein',
  '私は寿司が大好きです。',
])('"%s" does not count as a common password', async (password) => {
  expect(await isCommonPassword(password)).toBe(false);
});
