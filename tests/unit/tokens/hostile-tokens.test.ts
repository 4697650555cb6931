import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentTokenClaims, readAgentToken } from '@/lib/protocol/oauth/jwt-access-tokens';
import { credentialOf, isWithinLifetime, newTokenId } from '@/lib/tokens/agent-tokens/agent-token-format';
import { type Forge, goodToken, hostileTokens } from './hostile-tokens';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicKey = createPublicKey(privateKey);
const issuer = 'https://parley.example';
const now = Math.floor(Date.now() / 1000);

const claims = {
  iss: issuer,
  sub: 'pairwise-subject',
  aud: `${issuer}/agents/analyst`,
  client_id: 'parley-cli',
  agent_id: 'agt_0123456789abcdefghjk',
  agent_slug: 'analyst',
  scope: 'agent:call',
  iat: now,
  exp: now + 900,
  jti: newTokenId('ses_0123456789abcdefghjk'),
} satisfies AgentTokenClaims;

const forge: Forge = { kid: 'tok-0123456789abcdef01234567', privateKey, claims, canary: 'http://127.0.0.1:9' };

/** The checks that need no database; the others are in the introspection tests against the running server. */
function accepts(token: string): boolean {
  const read = readAgentToken(token);
  if (!read || read.kid !== forge.kid || read.claims.iss !== issuer) return false;
  if (read.claims.aud !== claims.aud || read.claims.agent_id !== claims.agent_id) return false;
  if (!isWithinLifetime(read.claims, now) || credentialOf(read.claims.jti) === null) return false;
  return verify('sha256', Buffer.from(read.signed), publicKey, read.signature);
}

describe('an agent token', () => {
  it('is accepted if it is valid', () => {
    expect(accepts(goodToken(forge))).toBe(true);
  });

  it('KEY-1 KEY-2 KEY-3 KEY-4: is tested with more than 100 hostile variants', () => {
    expect(hostileTokens(forge).length).toBeGreaterThan(180);
  });

  it.each(hostileTokens(forge))('KEY-1 KEY-2 KEY-3 KEY-4 is rejected for $name', ({ token }) => {
    expect(accepts(token)).toBe(false);
  });

  it('KEY-5 is rejected if one character differs', () => {
    const good = goodToken(forge);
    const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.+/ '];
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.constantFrom(...alphabet), (at, letter) => {
        fc.pre(good[at] !== letter);
        return !accepts(good.slice(0, at) + letter + good.slice(at + 1));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is rejected without an exception if it is any other text', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json()), (text) => !accepts(text)));
  });
});

describe('an agent token’s times', () => {
  it.each([
    ['at its start', 0, true],
    ['a second before its end', 899, true],
    ['at its end', 900, false],
    ['59 s before its start, for a node whose clock is behind', -59, true],
    ['two minutes before its start', -120, false],
  ])('KEY-4 are checked %s', (_name, offset, expected) => {
    expect(isWithinLifetime(claims, now + offset)).toBe(expected);
  });
});
