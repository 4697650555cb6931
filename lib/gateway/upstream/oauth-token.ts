import type { CredentialInput } from '../../catalog/schema';
import { ParleyError } from '../../platform/errors';
import { isObject, parseJson } from '../../platform/json';
import { NewestMap } from '../../platform/newest-map';
import { shared } from '../../platform/registry';
import { egressText } from '../../platform/safe-fetch';

type OauthCredential = CredentialInput & { kind: 'oauth-client-credentials' };

interface Kept {
  token: Promise<string>;
  /** Milliseconds since 1970 from which a new one is fetched. */
  until: number;
}

const maxKept = 5_000;
const maxBytes = 65_536;
const totalMs = 10_000;
/** A token is replaced this long before it ends, or at half of a shorter life, seconds. */
const leadSeconds = 60;
/** How long a token is kept whose end nobody told (RFC 6749 §5.1 only recommends `expires_in`). */
const assumedSeconds = 300;

function kept(): Map<string, Kept> {
  return shared('oauth-tokens', () => new NewestMap(maxKept));
}

/**
 * An access token by the client credentials grant (RFC 6749 §4.4), fetched through the guarded way out and kept until
 * shortly before it ends; calls that come at once wait for one fetch.
 * @throws {ParleyError} `agent_misbehaved` when the token endpoint answers without a token, what {@link egressText} throws
 */
export function oauthTokenFor(asked: { key: string; credential: OauthCredential; now: Date }): Promise<string> {
  const tokens = kept();
  const { key, credential, now } = asked;
  const known = tokens.get(key);
  if (known && now.getTime() < known.until) return known.token;
  const entry: Kept = { token: Promise.resolve(''), until: Number.POSITIVE_INFINITY };
  entry.token = fetchToken(credential).then(({ token, expiresIn }) => {
    entry.until = now.getTime() + Math.max(expiresIn - leadSeconds, expiresIn / 2) * 1000;
    return token;
  });
  entry.token.catch(() => {
    if (tokens.get(key) === entry) tokens.delete(key);
  });
  tokens.set(key, entry);
  return entry.token;
}

/** Drops a token that the agent refused. */
export function forgetOauthToken(key: string, token: string): void {
  const known = kept().get(key);
  void known?.token.then((value) => {
    if (value === token && kept().get(key) === known) kept().delete(key);
  });
}

async function fetchToken(credential: OauthCredential): Promise<{ token: string; expiresIn: number }> {
  const { tokenUrl, clientId, clientSecret, scope, clientAuth } = credential;
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) });
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  if (clientAuth === 'body') {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  } else {
    const pair = [clientId, clientSecret].map((text) => new URLSearchParams([['', text]]).toString().slice(1));
    headers.authorization = `Basic ${Buffer.from(pair.join(':')).toString('base64')}`;
  }
  const { signal } = new AbortController();
  const request = { url: tokenUrl, method: 'POST' as const, headers, body: form.toString(), signal, maxBytes, totalMs };
  const { status, bytes } = await egressText(request);
  return readToken(status, bytes);
}

function readToken(status: number, bytes: Buffer): { token: string; expiresIn: number } {
  if (status !== 200) throw refused(`HTTP ${status}`);
  const answer = tryJson(bytes);
  const token = isObject(answer) ? answer.access_token : undefined;
  if (!isObject(answer) || typeof token !== 'string' || !/^[\x21-\x7e]{1,16384}$/.test(token)) {
    throw refused('an answer without an access token');
  }
  const { expires_in: told } = answer;
  return { token, expiresIn: typeof told === 'number' && told > 0 ? Math.min(told, 86_400) : assumedSeconds };
}

function tryJson(bytes: Buffer): unknown {
  try {
    return parseJson(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

// What the endpoint wrote is not repeated: it may hold what was sent to it.
function refused(found: string): ParleyError {
  const text = `The token endpoint that the agent's owner named answered with ${found}. Only the owner can mend this.`;
  return new ParleyError('agent_misbehaved', text);
}
