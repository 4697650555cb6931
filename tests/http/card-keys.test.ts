import { createPublicKey, verify } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureSigningKeys, listJwks, rotateKeys, signCard } from '@/lib/tokens';
import { findSigner, verifySignature } from '@/lib/tokens/keys/keys';
import { useTestDatabase } from '../support/database';
import { query } from '../support/sql';

useTestDatabase();

const start = new Date();
const day = 86_400;
const at = (seconds: number): Date => new Date(start.getTime() + seconds * 1000);

beforeAll(() => ensureSigningKeys(start));

async function kidAt(seconds: number): Promise<string> {
  const { signature } = await signCard({ payload: '{"name":"Parley"}', now: at(seconds) });
  return (JSON.parse(Buffer.from(signature.protected, 'base64url').toString()) as { kid: string }).kid;
}

async function published(prefix: string, seconds: number): Promise<string[]> {
  return (await listJwks(at(seconds))).keys.map(({ kid }) => kid).filter((kid) => kid.startsWith(prefix));
}

describe('card signing keys', () => {
  it('KEY-6 are published before their first signature and until a week after the next key’s first', async () => {
    const tokenKeys = await published('tok-', 0);
    const old = await kidAt(0);
    await rotateKeys({ now: start, purpose: 'card' });
    const [fresh] = (await published('card-', 0)).filter((kid) => kid !== old);
    expect([await kidAt(599), await kidAt(600)]).toEqual([old, fresh]);
    expect(await published('card-', 600 + 7 * day - 1)).toEqual([old, fresh]);
    expect(await published('card-', 600 + 7 * day)).toEqual([fresh]);
    expect(await published('tok-', 0)).toEqual(tokenKeys);
  });

  it('sign the same text only once under concurrency', async () => {
    const asked = Array.from({ length: 8 }, () => signCard({ payload: '{"name":"Once"}', now: at(0) }));
    const made = (await Promise.all(asked)).map(({ signature }) => signature.signature);
    expect(new Set(made).size).toBe(1);
  });

  it('invalidate their signatures when they are removed', async () => {
    const kid = await kidAt(0);
    const count = async (): Promise<unknown> =>
      (await query('test-count', 'SELECT count(*)::int AS count FROM key_signature WHERE kid = $1', [kid]))[0];
    expect(await count()).not.toEqual({ count: 0 });
    await ensureSigningKeys(at(600 + 7 * day));
    expect(await count()).toEqual({ count: 0 });
  });

  it('KEY-1 cannot sign a valid token', async () => {
    const { kid, sign } = await findSigner('card', at(30 * day));
    const signature = sign('a.b');
    const key = (await listJwks(at(30 * day))).keys.find((candidate) => candidate.kid === kid);
    const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' });
    expect(verify('sha256', Buffer.from('a.b'), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
    expect(await verifySignature('a.b', { kid, source: 'test', signature, now: at(30 * day) })).toBe(false);
    const token = await findSigner('token', at(30 * day));
    const by = { kid: token.kid, source: 'test', signature: token.sign('a.b'), now: at(30 * day) };
    expect(await verifySignature('a.b', by)).toBe(true);
  });
});
