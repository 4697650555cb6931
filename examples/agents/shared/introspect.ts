import { createHash } from 'node:crypto';
import { BoundedMap } from './bounded-map';

/** Who is calling, as Parley vouches for it. */
export interface Caller {
  /** Stable for this person and this agent's owner; another developer sees another subject. */
  subject: string;
  /** The program through which the person calls. */
  clientId: string;
  scopes: string[];
  /** Unix seconds. */
  expiresAt: number;
  /** Everything that the introspection answered (RFC 7662, section 2.2). */
  claims: Record<string, unknown>;
}

/** Resolves a bearer token to its caller, or to null when the token is not (or no longer) good for this agent. */
export type Introspect = (token: string) => Promise<Caller | null>;

/** Parley could not be asked, so nothing is known about the token. Callers are refused for now, never let in. */
export class IntrospectionUnavailable extends Error {
  override readonly name = 'IntrospectionUnavailable';
}

export interface IntrospectionOptions {
  parleyUrl: string;
  clientId: string;
  clientSecret: string;
  audience: string | null;
  /** Milliseconds since the epoch; for tests. */
  now?: () => number;
}

const KEPT_MS = 30_000;
const MOST_KEPT = 1_000;
const TIMEOUT_MS = 5_000;

/**
 * Asks Parley who is calling: one form POST with our client credentials (RFC 7662), then from memory for 30 seconds or
 * until the token expires, whichever is sooner. Within that time an agent still trusts a token that was revoked.
 * @throws {IntrospectionUnavailable} from the returned function
 */
export function createIntrospector(options: IntrospectionOptions): Introspect {
  const now = options.now ?? Date.now;
  // Keyed by a digest, so that the memory of this process holds no usable tokens.
  const known = new BoundedMap<{ caller: Caller; until: number }>(MOST_KEPT);

  return async function introspect(token) {
    const key = createHash('sha256').update(token).digest('base64');
    const kept = known.get(key);
    if (kept && kept.until > now()) return kept.caller;

    const caller = readCaller(await ask(options, token), options.audience, now() / 1000);
    if (caller) known.set(key, { caller, until: Math.min(now() + KEPT_MS, caller.expiresAt * 1000) });
    return caller;
  };
}

async function ask({ parleyUrl, clientId, clientSecret }: IntrospectionOptions, token: string): Promise<unknown> {
  // RFC 6749, section 2.3.1: both are form-encoded before they are joined.
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  try {
    const response = await fetch(`${parleyUrl}/api/auth/introspect`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
        accept: 'application/json',
      },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`Parley answered ${response.status}${credentialsHint(response.status)}`);
    return await response.json();
  } catch (error) {
    throw new IntrospectionUnavailable(`${parleyUrl} cannot say who is calling: ${reason(error)}`, { cause: error });
  }
}

function credentialsHint(status: number): string {
  return status === 401 ? ' (check PARLEY_CLIENT_ID and PARLEY_CLIENT_SECRET)' : '';
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** The caller that an introspection answer names; null unless every claim we rely on is there and right. */
function readCaller(answer: unknown, audience: string | null, nowSeconds: number): Caller | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const claims: Record<string, unknown> = { ...answer };
  const { active, sub, exp, client_id: clientId, scope } = claims;
  if (active !== true || typeof sub !== 'string' || sub === '') return null;
  if (typeof exp !== 'number' || exp <= nowSeconds) return null;
  // A token made for another agent of the same developer is active too, but it is not meant for us.
  if (audience !== null && ![claims.aud].flat().includes(audience)) return null;
  return {
    subject: sub,
    clientId: typeof clientId === 'string' ? clientId : '',
    scopes: typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [],
    expiresAt: exp,
    claims,
  };
}
