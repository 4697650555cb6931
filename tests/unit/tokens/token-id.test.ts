import { describe, expect, it } from 'vitest';
import { credentialOf, newTokenId } from '@/lib/tokens/agent-tokens/agent-token-format';

const session = 'ses_0123456789abcdefghjk';

describe('a token id', () => {
  it('identifies the credential that it was created from', () => {
    expect(credentialOf(newTokenId(session))).toBe(session);
    expect(credentialOf(newTokenId('pat_zyxwvtsrqpnmkjhgfedc'))).toBe('pat_zyxwvtsrqpnmkjhgfedc');
  });

  it('TOK-1 has 128 random bits and is unique', () => {
    const ids = new Set(Array.from({ length: 2_000 }, () => newTokenId(session).slice(0, 22)));
    expect(ids.size).toBe(2_000);
  });

  it('does not reveal whether two tokens belong together', () => {
    const [a = '', b = ''] = [newTokenId(session), newTokenId(session)].map((id) => id.slice(22));
    expect(a).not.toBe(b);
    expect(Buffer.from(a, 'base64url').toString('latin1')).not.toContain('ses');
  });

  it.each(['', 'AAAA', Buffer.alloc(16).toString('base64url'), Buffer.alloc(40, 1).toString('base64url'), '💥'])(
    'is null for %j',
    (jti) => {
      expect(credentialOf(jti)).toBeNull();
    },
  );
});
