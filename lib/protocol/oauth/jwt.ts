import { MAX_JWT_LENGTH } from '../limits';
/** A compact JWT (RFC 7519, RFC 7515 §3.1), parsed but not verified. */
export interface ParsedJwt {
  header: unknown;
  claims: unknown;
  /** The text that the signature covers. */
  signed: string;
  signature: Buffer;
}

/**
 * Parses a JWT; null if malformed. Accepts only the encoding that {@link writeJwt} produces, so that every token has
 * exactly one encoding: padding, trailing bits, white space, escapes, duplicate members and numbers such as 1e999 are
 * rejected.
 */
export function readJwt(token: string): ParsedJwt | null {
  if (token.length > MAX_JWT_LENGTH) return null;
  const [header, claims, signature, ...rest] = token.split('.');
  if (!header || !claims || !signature || rest.length > 0) return null;
  const bytes = Buffer.from(signature, 'base64url');
  if (bytes.toString('base64url') !== signature) return null;
  const readHeader = readSegment(header);
  const readClaims = readSegment(claims);
  if (readHeader === undefined || readClaims === undefined) return null;
  return { header: readHeader, claims: readClaims, signed: `${header}.${claims}`, signature: bytes };
}

/** Returns the signing input of a JWT: the text that its signature covers (RFC 7515 §5.1). */
export function writeJwt(header: object, claims: object): string {
  return `${writeSegment(header)}.${writeSegment(claims)}`;
}

function writeSegment(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function readSegment(segment: string): unknown {
  const value = parse(Buffer.from(segment, 'base64url').toString());
  return value !== undefined && writeSegment(value) === segment ? value : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // One of many malformed forms, all of which the caller treats in the same way.
    return undefined;
  }
}

interface PublicJwk {
  kid: string;
  use: 'sig';
}

/** The public half of an RSA signing key (RFC 7517 §4, RFC 7518 §6.3.1). */
export interface RsaPublicJwk extends PublicJwk {
  kty: 'RSA';
  alg: 'RS256';
  n: string;
  e: string;
}

/** The public half of a P-256 signing key (RFC 7518 §6.2.1). */
export interface EcPublicJwk extends PublicJwk {
  kty: 'EC';
  alg: 'ES256';
  crv: 'P-256';
  x: string;
  y: string;
}

export type SigningJwk = RsaPublicJwk | EcPublicJwk;

/** A JWK Set (RFC 7517 §5). */
export interface JwkSet {
  keys: SigningJwk[];
}
