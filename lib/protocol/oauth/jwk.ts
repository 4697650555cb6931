/** The public half of an RSA signing key (RFC 7517 §4, RFC 7518 §6.3.1). */
export interface RsaPublicJwk {
  kty: 'RSA';
  kid: string;
  alg: 'RS256';
  use: 'sig';
  n: string;
  e: string;
}

/** A JWK Set (RFC 7517 §5). */
export interface JwkSet {
  keys: RsaPublicJwk[];
}
