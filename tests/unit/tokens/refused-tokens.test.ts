import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { env } from '@/lib/platform/runtime/env';
import { log } from '@/lib/platform/runtime/log';
import { newTokenId } from '@/lib/tokens/agent-tokens/agent-token-format';
import { findVerifiedToken } from '@/lib/tokens/agent-tokens/token-caches';
import { type Forge, goodToken } from './hostile-tokens';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const now = new Date();
const iat = Math.floor(now.getTime() / 1000);

function tokenWith(changes: Partial<Forge['claims']>): string {
  const claims = {
    iss: env().APP_URL,
    sub: 'pairwise-subject',
    aud: `${env().APP_URL}/agents/analyst`,
    client_id: 'parley-cli',
    agent_id: 'agt_0123456789abcdefghjk',
    agent_slug: 'analyst',
    scope: 'agent:call',
    iat,
    exp: iat + 900,
    jti: newTokenId('ses_0123456789abcdefghjk'),
    ...changes,
  };
  return goodToken({ kid: 'tok-0123456789abcdef01234567', privateKey, claims, canary: 'http://127.0.0.1:9' });
}

describe('a rejected agent token', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ['malformed', 'not.a.token'],
    ['too_long', 'a'.repeat(100_000)],
    ['issuer', tokenWith({ iss: 'https://other.example' })],
    ['lifetime', tokenWith({ iat: iat - 2_000, exp: iat - 1_000 })],
    ['audience', tokenWith({ aud: 'https://other.example/agents/analyst' })],
    ['token_id', tokenWith({ jti: 'AAAA' })],
  ])('is logged with the reason %s but without its text', async (reason, token) => {
    const debug = vi.spyOn(log, 'debug').mockReturnValue(undefined);
    expect(await findVerifiedToken(token, now)).toBeNull();
    expect(debug.mock.calls).toEqual([['tokens.refused', { reason }]]);
  });
});
