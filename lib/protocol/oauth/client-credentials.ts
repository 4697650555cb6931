/** How a client authenticated in a request (RFC 6749 §2.3), not yet checked. */
export type ClientCredentials =
  | { kind: 'given'; clientId: string; clientSecret: string }
  /** Only a name, as clients without a secret give it. */
  | { kind: 'named'; clientId: string }
  /** Nothing, or nothing readable. */
  | { kind: 'none' }
  /** More than one way at once, which §2.3 forbids. */
  | { kind: 'several' };

interface CredentialSources {
  /** The `Authorization` header, or null. */
  authorization: string | null;
  /** `client_id` and `client_secret` of the form. */
  clientId: string | undefined;
  clientSecret: string | undefined;
}

/** Reads client_secret_basic or client_secret_post. A `client_id` that repeats the one of the header is harmless. */
export function readClientCredentials({ authorization, clientId, clientSecret }: CredentialSources): ClientCredentials {
  if (authorization === null) {
    if (clientId === undefined) return { kind: 'none' };
    if (clientSecret === undefined) return { kind: 'named', clientId };
    return { kind: 'given', clientId, clientSecret };
  }
  // Two Authorization headers arrive joined by a comma, which no single credential contains.
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

/** Both halves of the Basic pair are form-encoded before they are joined (RFC 6749 §2.3.1). */
function decodeFormValue(text: string): string | null {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // A lone percent sign: not encoded as the RFC asks, so not a credential.
    return null;
  }
}
