import { ParleyError } from './errors.js';
import { agentUrlOf, basicCredentials, type Fetch, requestJson } from './request.js';

/** A token for one agent, and the URL at which it is used. */
export interface AgentToken {
  token: string;
  /** The agent's URL at Parley: `POST {agentUrl}/a2a/jsonrpc`. */
  agentUrl: string;
  /** Unix seconds. */
  expiresAt: number;
  scope: string;
  /** URIs to send in `A2A-Extensions`. */
  extensions?: string[];
}

export interface ExchangeOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  fetch: Fetch;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** The token to exchange, and the target. */
export interface ExchangeRequest {
  /** The token with which this agent was called. */
  subjectToken: string;
  /** Slug of the agent to call next. */
  agent: string;
  /** A subset of the token's scopes, space-separated. */
  scope?: string;
}

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/**
 * Exchanges the token with which an agent was called for a token to call another agent on behalf of the same user (RFC
 * 8693; target by RFC 8707). The user must have granted this agent delegation.
 * @throws {ParleyError} with Parley's error, such as `invalid_grant`, `invalid_target` or `invalid_scope`
 */
export async function exchangeToken(options: ExchangeOptions, request: ExchangeRequest): Promise<AgentToken> {
  const { issuer, clientId, clientSecret, fetch, now } = options;
  const agentUrl = agentUrlOf(issuer, request.agent);
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: request.subjectToken,
    subject_token_type: ACCESS_TOKEN,
    resource: agentUrl,
  });
  if (request.scope !== undefined) body.set('scope', request.scope);
  const response = await requestJson(fetch, `${issuer}/api/auth/token`, {
    method: 'POST',
    headers: { authorization: basicCredentials(clientId, clientSecret), accept: 'application/json' },
    body,
  });
  const { access_token: token, expires_in: expiresIn, scope } = response;
  if (typeof token !== 'string' || typeof expiresIn !== 'number') {
    throw new ParleyError('invalid_answer', `${issuer} returned no token for the exchange.`);
  }
  const expiresAt = Math.floor(now() / 1000) + expiresIn;
  return { token, agentUrl, expiresAt, scope: typeof scope === 'string' ? scope : '' };
}
