import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { sha256 } from '../platform/crypto';
import { AGENT_TOKEN_TTL_SECONDS, CLOCK_SKEW_SECONDS } from '../protocol/oauth/agent-token';
import type { SigningJwk } from '../protocol/oauth/jwk';

const generate = promisify(generateKeyPair);

/** What a key is for; its `kid` begins accordingly, and it signs nothing else. */
export type KeyPurpose = 'token' | 'card' | 'ap2';
export const KEY_PURPOSES: readonly KeyPurpose[] = ['token', 'card', 'ap2'];

interface KeySpec {
  /** How the `kid` of such a key begins. */
  prefix: string;
  alg: SigningJwk['alg'];
  /** How long what a key signed is used after the key was replaced, milliseconds: it stays published for so long. */
  retentionMs: number;
  make: () => Promise<{ publicJwk: SigningJwk; privateKey: KeyObject }>;
}

/** The kind of key for each purpose. */
export const keySpecs: Record<KeyPurpose, KeySpec> = {
  // A node whose clock is behind signs with the old key a little longer, and its tokens live on from there.
  token: {
    prefix: 'tok',
    alg: 'RS256',
    retentionMs: (AGENT_TOKEN_TTL_SECONDS + 2 * CLOCK_SKEW_SECONDS) * 1000,
    make: makeTokenKey,
  },
  // Whoever has fetched a card may check it again much later than caches keep it.
  card: { prefix: 'card', alg: 'ES256', retentionMs: 7 * 24 * 3_600_000, make: () => makeEcKey('card') },
  // Mandates live for minutes, but receipts are shown much later: whoever kept one without the set can still check it.
  ap2: { prefix: 'ap2', alg: 'ES256', retentionMs: 30 * 24 * 3_600_000, make: () => makeEcKey('ap2') },
};

/** What a key is for, by its name; null for none of ours. */
export function purposeOf(kid: string): KeyPurpose | null {
  return KEY_PURPOSES.find((purpose) => kid.startsWith(`${keySpecs[purpose].prefix}-`)) ?? null;
}

async function makeTokenKey(): ReturnType<KeySpec['make']> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: 2048 });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const kid = kidOf('token', { e, kty: 'RSA', n });
  return { publicJwk: { kty: 'RSA', kid, alg: 'RS256', use: 'sig', n, e }, privateKey };
}

async function makeEcKey(purpose: KeyPurpose): ReturnType<KeySpec['make']> {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const kid = kidOf(purpose, { crv: 'P-256', kty: 'EC', x, y });
  return { publicJwk: { kty: 'EC', kid, alg: 'ES256', use: 'sig', crv: 'P-256', x, y }, privateKey };
}

/** From the thumbprint of RFC 7638, whose members stand in this order: same key, same name. */
function kidOf(purpose: KeyPurpose, thumbprintMembers: object): string {
  return `${keySpecs[purpose].prefix}-${sha256(JSON.stringify(thumbprintMembers)).slice(0, 24)}`;
}
