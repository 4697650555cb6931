import { type Adapters, createAdapters } from './adapters.js';
import { createAuthenticator } from './authenticate.js';
import type { Caller } from './caller.js';
import type { ParleyError } from './errors.js';
import { type AgentToken, exchangeToken } from './exchange.js';
import { agentUrlOf, type Fetch, originOf } from './request.js';

export interface ProtectOptions {
  /** Origin of the Parley that lists the agent: `https://parley.example`. */
  url: string;
  /** The agent's slug at Parley. */
  agent: string;
  /** Credentials of the developer app of the agent's listing. */
  clientId: string;
  clientSecret: string;
  /** The required scope; defaults to `agent:call`. */
  scope?: string;
  /**
   * Cache lifetime of an introspection result, in seconds: a revoked token may be admitted for that long. Defaults to
   * 30.
   */
  rememberSeconds?: number;
  /** Called if callers are refused because Parley cannot be reached; logs one line to the console by default. */
  onUnavailable?: (error: ParleyError) => void;
  fetch?: Fetch;
  /** Milliseconds since 1970; for tests. */
  now?: () => number;
}

/** Middleware for each framework, and token exchange for handlers. */
export interface Guard extends Adapters {
  /**
   * Acquires a token to call another agent on behalf of the current caller (RFC 8693).
   * @throws {ParleyError} with Parley's error; `TypeError` for a caller that this guard did not admit
   */
  exchange(caller: Caller, target: { agent: string; scope?: string }): Promise<AgentToken>;
}

const REMEMBER_SECONDS = 30;

/**
 * Protects an agent: a request without a valid token from Parley is refused with 401, 403 or 503 and never reaches the
 * handler. Tokens are verified locally with Parley's public keys; revocation is checked by cached introspection.
 * @throws {TypeError} if an option is missing or `url` is not an origin
 */
export function protect(options: ProtectOptions): Guard {
  const settings = readOptions(options);
  const tokens = new WeakMap<Caller, string>();
  const admit = createAuthenticator(settings, (caller, token) => tokens.set(caller, token));
  return {
    ...createAdapters(admit),
    async exchange(caller, { agent, scope }) {
      const subjectToken = tokens.get(caller);
      if (subjectToken === undefined) throw new TypeError('exchange requires a caller that this guard has accepted');
      return exchangeToken(settings, { subjectToken, agent, scope });
    },
  };
}

function readOptions(options: ProtectOptions) {
  for (const name of ['url', 'agent', 'clientId', 'clientSecret'] as const) {
    if (!options[name]) throw new TypeError(`protect: ${name} is missing`);
  }
  const issuer = originOf(options.url);
  return {
    issuer,
    agent: options.agent,
    audience: agentUrlOf(issuer, options.agent),
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    scope: options.scope ?? 'agent:call',
    rememberSeconds: options.rememberSeconds ?? REMEMBER_SECONDS,
    onUnavailable: options.onUnavailable ?? ((error) => console.error(`Callers are rejected: ${error.message}`)),
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    now: options.now ?? Date.now,
  };
}
