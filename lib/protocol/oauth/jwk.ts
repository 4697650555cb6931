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

/** The public half of a signing key on P-256 (RFC 7518 §6.2.1). */
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
