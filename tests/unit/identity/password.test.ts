import { scrypt } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { hashPassword, verifyPassword } from '@/lib/identity/proofs/password-hash';
import { passwordError } from '@/lib/identity/schema';
import { hasCode } from '@/lib/platform/errors';

// The real function, with its calls recorded.
vi.mock('node:crypto', async (load) => {
  const real = await load<typeof import('node:crypto')>();
  return { ...real, scrypt: vi.fn(real.scrypt) };
});

describe('password hashes (TOK-9)', () => {
  test('match the correct password and no other', async () => {
    const stored = await hashPassword('correct horse battery');
    expect(await verifyPassword('correct horse battery', stored)).toBe(true);
    expect(await verifyPassword('correct horse batterz', stored)).toBe(false);
    expect(await verifyPassword('', stored)).toBe(false);
  });

  test('differ for the same password, and contain no password', async () => {
    const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(first).not.toBe(second);
    expect(first).not.toContain('correct');
  });

  test('contain their cost, and hashes with another cost can still be verified', async () => {
    expect(await hashPassword('correct horse')).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    // RFC 7914 §12, second vector, truncated to our key length.
    const salt = Buffer.from('NaCl').toString('base64url');
    const key = Buffer.from('fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162', 'hex').toString(
      'base64url',
    );
    expect(await verifyPassword('password', `scrypt$1024$8$16$${salt}$${key}`)).toBe(true);
  });

  test('match every Unicode form of the same password', async () => {
    const stored = await hashPassword('Zo\u00eb\u2019s caf\u00e9');
    expect(await verifyPassword('Zoe\u0308\u2019s cafe\u0301', stored)).toBe(true);
  });

  test('require the same work if the account does not exist', async () => {
    const stored = await hashPassword('correct horse');
    expect(await verifyPassword('correct horse', null)).toBe(false);
    vi.mocked(scrypt).mockClear();
    expect(await verifyPassword('wrong password', stored)).toBe(false);
    expect(await verifyPassword('wrong password', null)).toBe(false);
    const [known, unknown, ...more] = vi.mocked(scrypt).mock.calls.map(([password, salt, length, settings]) => {
      return { password, saltBytes: Buffer.from(salt as Buffer).length, length, settings };
    });
    expect(known).toEqual(unknown);
    expect(more).toEqual([]);
  });

  test('limit concurrent work, and further attempts are rejected with a retry time', async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 130 }, () => verifyPassword('wrong', cheapHash)));
    const refused = attempts.filter((attempt) => attempt.status === 'rejected');
    expect(refused).toHaveLength(130 - 102);
    expect(refused.every(({ reason }) => hasCode(reason, 'unavailable') && (reason.retryAfter ?? 0) > 0)).toBe(true);
    expect(await verifyPassword('wrong', cheapHash)).toBe(false);
  });
});

const cheapHash = 'scrypt$2$1$1$c2FsdA$aGFzaA';

describe('passwordError', () => {
  test.each([
    ['too short', 'a'.repeat(9), /at least 10 .* 9/],
    ['too long', 'a'.repeat(201), /at most 200 .* 201/],
    ['the address itself', 'Ada@Example.org ', /must not be your email/],
  ])('rejects a password that is %s', (_name, password, sentence) => {
    expect(passwordError(password, 'ada@example.org')).toMatch(sentence);
  });

  test.each([['aaaaaaaaaa'], ['пароль из слов'], ['😀'.repeat(10)], [`${'x'.repeat(200)}`], ['with spaces in it']])(
    'requires no character class: %s',
    (password) => {
      expect(passwordError(password, 'ada@example.org')).toBeNull();
    },
  );

  test('counts characters as users perceive them, not UTF-16 units', () => {
    expect(passwordError('😀'.repeat(9), 'ada@example.org')).toMatch(/this has 9/);
  });
});
