import { ParleyError } from './errors.js';
import type { AgentToken } from './exchange.js';
import { type Fetch, requestJson } from './request.js';

/** Gets a token for one agent. */
export type Authorize = (agent: string) => Promise<AgentToken>;

/** A token this close to its end is not used any more, seconds. */
const LEFT_SECONDS = 30;

/**
 * Tokens by handshake: a person's access token for one agent's.
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
    const answer = await requestJson(fetch, `${origin}/api/auth/handshake`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ agentSlug: agent }),
    });
    const { token, agentUrl, expiresAt, scope, extensions } = answer;
    const expires = Date.parse(String(expiresAt)) / 1000;
    if (typeof token !== 'string' || typeof agentUrl !== 'string' || !Number.isFinite(expires)) {
      throw new ParleyError('invalid_answer', `${origin} answered the handshake without a token.`);
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

/** Keeps tokens until shortly before they end; calls that want the same one at once wait for one request. */
export class AgentTokens {
  private readonly kept = new Map<string, Promise<AgentToken>>();

  constructor(private readonly authorize: Authorize) {}

  async get(agent: string): Promise<AgentToken> {
    const kept = this.kept.get(agent) ?? this.renew(agent);
    const token = await kept;
    if (token.expiresAt - LEFT_SECONDS > Date.now() / 1000) return token;
    // Of all who find the same old token, the first one renews it.
    return this.kept.get(agent) === kept ? this.renew(agent) : this.get(agent);
  }

  /** Forgets a token that was refused before its time. */
  forget(agent: string): void {
    this.kept.delete(agent);
  }

  private renew(agent: string): Promise<AgentToken> {
    const asked = this.authorize(agent);
    this.kept.set(agent, asked);
    asked.catch(() => this.kept.delete(agent));
    return asked;
  }
}
