import { randomBytes, verify } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasCode } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { env } from '@/lib/platform/runtime/env';
import { type AgentTokenClaims, writeAgentToken } from '@/lib/protocol/oauth/jwt-access-tokens';
import { ensureSigningKeys } from '@/lib/tokens';
import { audienceOf, newTokenId } from '@/lib/tokens/agent-tokens/agent-token-format';
import { findVerifiedToken } from '@/lib/tokens/agent-tokens/token-caches';
import { signJwt } from '@/lib/tokens/keys/keys';
import { MAX_WAITING_CHECKS_PER_SOURCE, SIGNATURE_CHECKS_PER_TURN } from '@/lib/tokens/limits';
import { useTestDatabase } from '../support/database';

vi.mock('node:crypto', async (load) => {
  const crypto = await load<typeof import('node:crypto')>();
  return { ...crypto, default: crypto, verify: vi.fn(crypto.verify) };
});

useTestDatabase();

const now = new Date();
const seconds = Math.floor(now.getTime() / 1000);
const ours = newId('pat');

function claims(changes: Partial<AgentTokenClaims> = {}): AgentTokenClaims {
  return {
    iss: env().APP_URL,
    sub: 'someone',
    aud: audienceOf('echo'),
    client_id: 'parley-cli',
    agent_id: newId('agt'),
    agent_slug: 'echo',
    scope: 'agent:call',
    iat: seconds,
    exp: seconds + 900,
    jti: newTokenId(ours),
    ...changes,
  };
}

const signed = (changes?: Partial<AgentTokenClaims>): Promise<string> => signJwt('at+jwt', claims(changes), now);
const isValid = async (token: string): Promise<boolean> => (await findVerifiedToken(token, now)) !== null;

/** The token with a random signature. */
function forged(token: string): string {
  return `${token.slice(0, token.lastIndexOf('.'))}.${randomBytes(256).toString('base64url')}`;
}

/** Tokens of one credential, each with a random signature. */
async function flood(count: number, credentialId: string): Promise<string[]> {
  const token = await signed({ jti: newTokenId(credentialId) });
  return Array.from({ length: count }, () => forged(token));
}

beforeAll(() => ensureSigningKeys(now));
beforeEach(() => {
  vi.mocked(verify).mockClear();
});

describe('forged tokens', () => {
  it('INT-4 KEY-2 KEY-4 are rejected without signature verification if another part is invalid', async () => {
    const signature = randomBytes(256).toString('base64url');
    const tokens = {
      'random text': randomBytes(300).toString('base64url'),
      'unknown key': `${writeAgentToken('tok-unknown', claims())}.${signature}`,
      expired: await signed({ iat: seconds - 1_000, exp: seconds - 100 }),
      'valid for too long': await signed({ exp: seconds + 86_400 }),
      'foreign issuer': await signed({ iss: 'https://evil.example' }),
      'foreign audience': await signed({ aud: 'https://evil.example' }),
      'no credential': await signed({ jti: randomBytes(40).toString('base64url') }),
      'algorithm none': `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.e30.${signature}`,
      'too long': `${await signed()}${'A'.repeat(100_000)}`,
    };
    for (const [name, token] of Object.entries(tokens)) expect(await isValid(token), name).toBe(false);
    expect(verify).not.toHaveBeenCalled();
    expect(await isValid(await signed())).toBe(true);
    expect(verify).toHaveBeenCalledTimes(1);
  });

  it('INT-12 receive a retry time while too many tokens are waiting for verification', async () => {
    const count = 3 * MAX_WAITING_CHECKS_PER_SOURCE;
    const results = await Promise.allSettled((await flood(count, newId('pat'))).map(isValid));
    const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    expect(refused).toHaveLength(count - MAX_WAITING_CHECKS_PER_SOURCE - SIGNATURE_CHECKS_PER_TURN);
    for (const error of refused) expect(hasCode(error, 'unavailable') && error.retryAfter).toBe(1);
    for (const result of results) if (result.status === 'fulfilled') expect(result.value).toBe(false);
    expect(await isValid((await flood(1, newId('pat')))[0] ?? '')).toBe(false);
  });

  it('INT-12 do not delay tokens that were verified before', async () => {
    const good = await signed();
    expect(await isValid(good)).toBe(true);
    let ended = 0;
    const checks = (await flood(MAX_WAITING_CHECKS_PER_SOURCE, ours)).map((token) =>
      isValid(token).finally(() => ended++),
    );
    expect(await isValid(good)).toBe(true);
    expect(ended).toBe(0);
    await Promise.all(checks);
  });

  it('INT-12 from one user do not displace another user’s new tokens', async () => {
    const good = await signed({ jti: newTokenId(newId('pat')) });
    let ended = 0;
    const checks = (await flood(2 * MAX_WAITING_CHECKS_PER_SOURCE, newId('pat'))).map((token) =>
      isValid(token)
        .catch(() => true)
        .finally(() => ended++),
    );
    expect(await isValid(good)).toBe(true);
    expect(ended).toBeLessThan(checks.length - MAX_WAITING_CHECKS_PER_SOURCE / 2);
    await Promise.all(checks);
  });

  it('INT-10 do not affect a valid token, which is verified once for many concurrent requests', async () => {
    const good = await signed();
    const results = await Promise.all(Array.from({ length: 500 }, () => isValid(good)));
    expect(new Set(results)).toEqual(new Set([true]));
    expect(verify).toHaveBeenCalledTimes(1);
  });
});
