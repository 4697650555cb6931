/** Why a request is not let in, as an HTTP answer. */
export interface Refusal {
  status: 400 | 401 | 403 | 503;
  headers: Record<string, string>;
  /** JSON text. */
  body: string;
}

interface Challenge {
  /** Where a client learns how to get a token (RFC 9728, section 5.1). */
  metadataUrl: string;
}

/** No token: a challenge without `error`, because nothing was wrong with what was sent (RFC 6750, section 3.1). */
export function tokenMissing(challenge: Challenge): Refusal {
  const description = 'Send an agent token from Parley as a bearer token.';
  return refusal(401, { error: 'unauthorized', description }, { challenge });
}

export function requestMalformed(challenge: Challenge): Refusal {
  const description = 'Expected one Authorization header with the scheme Bearer and one token.';
  return refusal(400, { error: 'invalid_request', description }, { challenge, told: true });
}

export function tokenInvalid(challenge: Challenge): Refusal {
  const description = 'The token is malformed, expired, revoked or made for another agent.';
  return refusal(401, { error: 'invalid_token', description }, { challenge, told: true });
}

export function scopeMissing(challenge: Challenge, scope: string): Refusal {
  const description = `The token does not have the scope ${scope}.`;
  return refusal(403, { error: 'insufficient_scope', description }, { challenge, told: true, scope });
}

/** Parley gave no answer: nobody is let in, and nobody is told that their token is bad. */
export function parleyUnavailable(retryAfter: number): Refusal {
  const description = 'Who is calling cannot be checked right now. Try again in a moment.';
  const refused = refusal(503, { error: 'temporarily_unavailable', description }, {});
  return { ...refused, headers: { ...refused.headers, 'retry-after': String(retryAfter) } };
}

interface Told {
  challenge?: Challenge;
  /** The challenge names the error. */
  told?: boolean;
  scope?: string;
}

function refusal(
  status: Refusal['status'],
  { error, description }: { error: string; description: string },
  { challenge, told, scope }: Told,
): Refusal {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  if (challenge) {
    const params = ['realm="parley"'];
    if (told) params.push(`error="${error}"`, `error_description="${description}"`);
    if (scope) params.push(`scope="${scope}"`);
    params.push(`resource_metadata="${challenge.metadataUrl}"`);
    headers['www-authenticate'] = `Bearer ${params.join(', ')}`;
  }
  return { status, headers, body: JSON.stringify({ error, error_description: description }) };
}
