import { createAdmit } from './admit.js';
import type { Caller } from './caller.js';
import type { ParleyError } from './errors.js';
import { type AgentToken, exchangeToken } from './exchange.js';
import { createMiddlewares, type Middlewares } from './middlewares.js';
import { agentUrlOf, type Fetch, originOf } from './request.js';

export interface ProtectOptions {
  /** The Parley that lists the agent, as it calls itself: `https://parley.example`. */
  url: string;
  /** The agent's slug at Parley. */
  agent: string;
  /** Credentials of the developer app that the agent is listed with. */
  clientId: string;
  clientSecret: string;
  /** The scope that callers need; `agent:call` unless given. */
  scope?: string;
  /** How long Parley's word on a token is good for: so long a revoked one may still be let in. 30 unless given. */
  rememberSeconds?: number;
  /** Hears why nobody can be let in; writes one line to the console unless given. */
  onUnavailable?: (error: ParleyError) => void;
  fetch?: Fetch;
  /** Milliseconds since 1970; for tests. */
  now?: () => number;
}

/** Middleware for each framework, and what a handler may then ask. */
export interface Guard extends Middlewares {
  /**
   * A token to call another agent on behalf of somebody who calls this one (RFC 8693).
   * @throws {ParleyError} with what Parley answers; `TypeError` for a caller whom this guard did not let in
   */
  exchange(caller: Caller, target: { agent: string; scope?: string }): Promise<AgentToken>;
}

const REMEMBER_SECONDS = 30;

/**
 * Protects an agent: who has no good token from Parley for it gets 401, 403 or 503 and never reaches the handler.
 * Tokens are verified here with Parley's public keys; whether one was revoked is asked of Parley, and remembered.
 * @throws {TypeError} when an option is missing or `url` is no origin
 */
export function protect(options: ProtectOptions): Guard {
  const settings = readOptions(options);
  const tokens = new WeakMap<Caller, string>();
  const admit = createAdmit(settings, (caller, token) => tokens.set(caller, token));
  return {
    ...createMiddlewares(admit),
    async exchange(caller, { agent, scope }) {
      const subjectToken = tokens.get(caller);
      if (subjectToken === undefined) throw new TypeError('exchange needs a caller that this guard has let in');
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
    onUnavailable: options.onUnavailable ?? ((error) => console.error(`Callers are refused: ${error.message}`)),
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    now: options.now ?? Date.now,
  };
}
