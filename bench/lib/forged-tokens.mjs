import { randomBytes } from 'node:crypto';

const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (segment) => JSON.parse(Buffer.from(segment, 'base64url').toString());

/** Returns a signature of the length of RS256 with a 2,048-bit key. */
const signature = () => randomBytes(256).toString('base64url');

/**
 * Returns generators of tokens that Parley did not sign, by kind.
 *
 * @param {string} token a valid token
 * @returns {Record<string, () => string>}
 */
export function forgeries(token) {
  const [header, payload] = token.split('.');
  const [known, claims] = [decode(header), decode(payload)];
  const past = encode({ ...claims, iat: claims.iat - 3_600, exp: claims.exp - 3_600 });
  return {
    'random text': () => randomBytes(32).toString('base64url'),
    'unknown key': () => `${encode({ ...known, kid: randomBytes(8).toString('hex') })}.${payload}.${signature()}`,
    'wrong signature': () => `${header}.${payload}.${signature()}`,
    expired: () => `${header}.${past}.${signature()}`,
    'alg none': () => `${encode({ ...known, alg: 'none' })}.${payload}.${signature()}`,
    'huge token': () => `${header}.${payload}.${randomBytes(12_000).toString('base64url')}`,
  };
}
