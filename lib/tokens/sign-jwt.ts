import { writeJwt } from '../protocol/oauth/jwt';
import { findSigner } from './keys';

/** A JWT by the key that signs at `now`, with a type of its own for each use (RFC 8725 §3.11). */
export async function signJwt(typ: string, claims: object, now: Date): Promise<string> {
  const signer = await findSigner('token', now);
  const text = writeJwt({ alg: 'RS256', typ, kid: signer.kid }, claims);
  return `${text}.${signer.sign(text).toString('base64url')}`;
}
