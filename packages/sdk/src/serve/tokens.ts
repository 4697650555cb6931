import { decodeJwt } from 'jose';
import { ParleyError } from '../errors.js';
import { agentUrlOf, basicCredentials, type Fetch, requestJson } from '../request.js';

/** A token to connect with. */
export interface ServeToken {
  token: string;
  /** Unix seconds; null if unknown. */
  expiresAt: number | null;
}

/** An access token with the scope `agents:serve`, or the credentials of the agent's developer app. */
export type ServeCredentials =
  | {
      token: string | (() => string | ServeToken | Promise<string | ServeToken>);
      clientId?: undefined;
      clientSecret?: undefined;
    }
  | { clientId: string; clientSecret: string; token?: undefined };

/** Gets tokens to connect with. */
export interface TokenSource {
  /** @throws {ParleyError} */
  get(): Promise<ServeToken>;
  /** True if another call may return another token. */
  isRenewable: boolean;
}

export interface TokenOptions {
  origin: string;
  agent: string;
  fetch: Fetch;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Creates the source of tokens for these credentials. @throws {TypeError} if there are none */
export function createTokenSource(credentials: ServeCredentials, options: TokenOptions): TokenSource {
  const { token, clientId, clientSecret } = credentials;
  if (typeof token === 'string') return { get: async () => withExpiry(token), isRenewable: false };
  if (token) return { get: async () => withExpiry(await token()), isRenewable: true };
  if (!clientId || !clientSecret) throw new TypeError('expected a token, or clientId and clientSecret');
  return { get: () => requestToken({ clientId, clientSecret }, options), isRenewable: true };
}

function withExpiry(given: string | ServeToken): ServeToken {
  return typeof given === 'string' ? { token: given, expiresAt: expiryOf(given) } : given;
}

/** Returns the expiry of a token. An access token of Parley is not a JWT, so its expiry is unknown. */
function expiryOf(token: string): number | null {
  try {
    return decodeJwt(token).exp ?? null;
  } catch {
    return null;
  }
}

/** Requests a token for one agent (RFC 8707) with the client credentials grant (RFC 6749, section 4.4). */
async function requestToken(
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  { origin, agent, fetch, now }: TokenOptions,
): Promise<ServeToken> {
  const response = await requestJson(fetch, `${origin}/api/auth/token`, {
    method: 'POST',
    headers: { authorization: basicCredentials(clientId, clientSecret), accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'agent:serve',
      resource: `${agentUrlOf(origin, agent)}/hub`,
    }),
  });
  const { access_token: token, expires_in: expiresIn } = response;
  if (typeof token !== 'string' || typeof expiresIn !== 'number') {
    throw new ParleyError('invalid_answer', `${origin} returned no token.`);
  }
  return { token, expiresAt: Math.floor(now() / 1_000) + expiresIn };
}
