import { ParleyError } from './errors.js';
import type { AgentToken } from './exchange.js';
import { type Fetch, requestJson } from './request.js';

/** Acquires a token for one agent. */
export type Authorize = (agent: string) => Promise<AgentToken>;

/** A token that expires within this time is renewed, in seconds. */
const RENEW_BEFORE_SECONDS = 30;

/**
 * Acquires tokens by handshake: exchanges a user's access token for a token for one agent.
 * @throws {ParleyError} from the returned function, `invalid_target` for an agent that cannot be called
 */
export function handshakeWith(options: {
  origin: string;
  accessToken: string | (() => string | Promise<string>);
  fetch: Fetch;
}): Authorize {
  const { origin, accessToken, fetch } = options;
  return async function handshake(agent) {
    const bearer = typeof accessToken === 'string' ? accessToken : await accessToken();
    const response = await requestJson(fetch, `${origin}/api/auth/handshake`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ agentSlug: agent }),
    });
    const { token, agentUrl, expiresAt, scope, extensions } = response;
    const expires = Date.parse(String(expiresAt)) / 1000;
    if (typeof token !== 'string' || typeof agentUrl !== 'string' || !Number.isFinite(expires)) {
      throw new ParleyError('invalid_answer', `${origin} returned no token for the handshake.`);
    }
    return {
      token,
      agentUrl,
      expiresAt: Math.floor(expires),
      scope: typeof scope === 'string' ? scope : '',
      extensions: Array.isArray(extensions) ? extensions.map(String) : [],
    };
  };
}

/** Caches tokens until shortly before they expire; concurrent calls for the same agent share one request. */
export class AgentTokens {
  private readonly cached = new Map<string, Promise<AgentToken>>();

  constructor(private readonly authorize: Authorize) {}

  async get(agent: string): Promise<AgentToken> {
    const cached = this.cached.get(agent) ?? this.renew(agent);
    const token = await cached;
    if (token.expiresAt - RENEW_BEFORE_SECONDS > Date.now() / 1000) return token;
    // If several calls find the same expired token, the first one renews it.
    return this.cached.get(agent) === cached ? this.renew(agent) : this.get(agent);
  }

  /** Drops a token that was rejected before it expired. */
  forget(agent: string): void {
    this.cached.delete(agent);
  }

  private renew(agent: string): Promise<AgentToken> {
    const asked = this.authorize(agent);
    this.cached.set(agent, asked);
    asked.catch(() => this.cached.delete(agent));
    return asked;
  }
}
