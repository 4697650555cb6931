export type ParsedParameters<Name extends string> =
  | { kind: 'read'; values: Partial<Record<Name, string>> }
  | { kind: 'repeated'; name: Name };

/**
 * Reads an endpoint's parameters from a form or query (RFC 6749 §3.2): an empty value counts as absent, a repeated
 * parameter is an error, unknown ones are ignored.
 */
export function readParameters<Name extends string>(text: string, names: readonly Name[]): ParsedParameters<Name> {
  const found = new Map<Name, string>();
  for (const [key, value] of pairsOf(text)) {
    const name = names.find((known) => known === key);
    if (name === undefined) continue;
    if (found.has(name)) return { kind: 'repeated', name };
    found.set(name, value);
  }
  const values: Partial<Record<Name, string>> = {};
  for (const [name, value] of found) if (value) values[name] = value;
  return { kind: 'read', values };
}

/** Returns the pairs of a form. Most need no decoding, which takes as long as the verification of a long token. */
function pairsOf(text: string): Iterable<[string, string]> {
  if (/[%+]|^\?/.test(text)) return new URLSearchParams(text);
  return text.split('&').filter(Boolean).map(splitPair);
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}

/** The client authentication of a request (RFC 6749 §2.3), not verified. */
export type ClientCredentials =
  | { kind: 'given'; clientId: string; clientSecret: string }
  /** Only a client id, as public clients send it. */
  | { kind: 'named'; clientId: string }
  /** No authentication, or unreadable. */
  | { kind: 'none' }
  /** Several methods, which RFC 6749 §2.3 forbids. */
  | { kind: 'several' };

interface CredentialSources {
  /** The `Authorization` header, or null. */
  authorization: string | null;
  /** `client_id` and `client_secret` of the form. */
  clientId: string | undefined;
  clientSecret: string | undefined;
}

/** Reads client_secret_basic or client_secret_post. The form may repeat the header's `client_id`. */
export function readClientCredentials({ authorization, clientId, clientSecret }: CredentialSources): ClientCredentials {
  if (authorization === null) {
    if (clientId === undefined) return { kind: 'none' };
    if (clientSecret === undefined) return { kind: 'named', clientId };
    return { kind: 'given', clientId, clientSecret };
  }
  // Several Authorization headers are joined by commas, which no single credential contains.
  if (clientSecret !== undefined || authorization.includes(',')) return { kind: 'several' };
  const basic = readBasic(authorization);
  if (!basic) return { kind: 'none' };
  return clientId === undefined || clientId === basic.clientId ? { kind: 'given', ...basic } : { kind: 'several' };
}

function readBasic(authorization: string): { clientId: string; clientSecret: string } | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  if (!encoded) return null;
  const pair = Buffer.from(encoded, 'base64').toString();
  const colon = pair.indexOf(':');
  if (colon < 0) return null;
  const clientId = decodeFormValue(pair.slice(0, colon));
  const clientSecret = decodeFormValue(pair.slice(colon + 1));
  return clientId && clientSecret ? { clientId, clientSecret } : null;
}

/** Decodes one half of the Basic credential, which is form-encoded (RFC 6749 §2.3.1). */
function decodeFormValue(text: string): string | null {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // Invalid percent-encoding: not a credential.
    return null;
  }
}

/** Accepted algorithms of DPoP proofs (RFC 9449 §5.1). */
export const DPOP_ALGORITHMS = ['ES256', 'EdDSA'];

/** The DPoP proof of a request (RFC 9449 §4), not verified. */
export interface PresentedProof {
  /** The `DPoP` header as received. Several are joined by commas, which no proof contains. */
  proof: string;
  method: string;
  /** The request's URL without its query. */
  url: string;
}
