import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { canonicalJson } from '@/lib/protocol/jcs';
import type { JsonObject } from '@/lib/protocol/json';
import type { CardServer } from './card-server';

type Kind = 'ES256' | 'RS256' | 'EdDSA' | 'weak RS256';

/** A key pair that signs cards as an agent's owner would, and its public JWK. */
export interface CardKey {
  kid: string;
  alg: string;
  privateKey: KeyObject;
  jwk: JsonObject;
}

export function newCardKey(kid: string, kind: Kind = 'ES256'): CardKey {
  const { publicKey, privateKey } = pairOf(kind);
  const jwk = publicKey.export({ format: 'jwk' }) as JsonObject;
  return { kid, alg: kind.replace('weak ', ''), privateKey, jwk: { ...jwk, kid, use: 'sig' } };
}

function pairOf(kind: Kind): { publicKey: KeyObject; privateKey: KeyObject } {
  if (kind === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  if (kind === 'EdDSA') return generateKeyPairSync('ed25519');
  return generateKeyPairSync('rsa', { modulusLength: kind === 'RS256' ? 2048 : 1024 });
}

interface Signing {
  /** The signed text; default: the card under JCS. */
  payload?: string;
  /** Protected header members in addition to `alg`, `kid` and `typ`. */
  header?: JsonObject;
}

/** A signature for `signatures` of the card. */
export function signatureOf(card: object, key: CardKey, { payload, header }: Signing = {}): JsonObject {
  const { signatures: _, ...bare } = card as JsonObject;
  const head = encode(JSON.stringify({ alg: key.alg, kid: key.kid, typ: 'JOSE', ...header }));
  const text = Buffer.from(`${head}.${encode(payload ?? canonicalJson(bare))}`);
  const digest = key.alg === 'EdDSA' ? null : 'sha256';
  const signature = sign(digest, text, { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return { protected: head, signature: signature.toString('base64url') };
}

/** The card with one signature by the key. */
export function signed<Card extends object>(
  card: Card,
  key: CardKey,
  signing: Signing = {},
): Card & { signatures: JsonObject[] } {
  return { ...card, signatures: [signatureOf(card, key, signing)] };
}

/** Serves these keys at the default JWKS path, or at another path of the same server. */
export function serveKeys(server: CardServer, keys: JsonObject[], path = '/.well-known/jwks.json'): void {
  server.on('GET', path, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }));
  });
}

export function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}
