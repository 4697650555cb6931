/** The HTTP response to a request that is not admitted. */
export interface Refusal {
  status: 400 | 401 | 403 | 503;
  headers: Record<string, string>;
  /** JSON text. */
  body: string;
}

interface Challenge {
  /** URL of the metadata that describes how to acquire a token (RFC 9728, section 5.1). */
  metadataUrl: string;
}

/**
 * Refusal without a token: a challenge without `error`, because the request had no invalid credentials (RFC 6750,
 * section 3.1).
 */
export function tokenMissing(challenge: Challenge): Refusal {
  const description = 'Send an agent token from Parley as a bearer token.';
  return refusal(401, { error: 'unauthorized', description }, { challenge });
}

export function requestMalformed(challenge: Challenge): Refusal {
  const description = 'Expected one Authorization header with the scheme Bearer and one token.';
  return refusal(400, { error: 'invalid_request', description }, { challenge, withError: true });
}

export function tokenInvalid(challenge: Challenge): Refusal {
  const description = 'The token is malformed, expired, revoked or issued for another agent.';
  return refusal(401, { error: 'invalid_token', description }, { challenge, withError: true });
}

export function scopeMissing(challenge: Challenge, scope: string): Refusal {
  const description = `The token lacks the scope ${scope}.`;
  return refusal(403, { error: 'insufficient_scope', description }, { challenge, withError: true, scope });
}

/** Refusal while Parley cannot be reached: no request is admitted, but no token is declared invalid. */
export function parleyUnavailable(retryAfter: number): Refusal {
  const description = 'The caller cannot be verified right now. Try again in a moment.';
  const refused = refusal(503, { error: 'temporarily_unavailable', description }, {});
  return { ...refused, headers: { ...refused.headers, 'retry-after': String(retryAfter) } };
}

interface ErrorOptions {
  challenge?: Challenge;
  /** The challenge contains the error. */
  withError?: boolean;
  scope?: string;
}

function refusal(
  status: Refusal['status'],
  { error, description }: { error: string; description: string },
  { challenge, withError, scope }: ErrorOptions,
): Refusal {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  if (challenge) {
    const params = ['realm="parley"'];
    if (withError) params.push(`error="${error}"`, `error_description="${description}"`);
    if (scope) params.push(`scope="${scope}"`);
    params.push(`resource_metadata="${challenge.metadataUrl}"`);
    headers['www-authenticate'] = `Bearer ${params.join(', ')}`;
  }
  return { status, headers, body: JSON.stringify({ error, error_description: description }) };
}
