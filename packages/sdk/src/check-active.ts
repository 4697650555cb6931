import type { AgentTokenClaims } from './caller.js';
import { ParleyError } from './errors.js';
import { basicCredentials, type Fetch, requestJson } from './request.js';

/** True while Parley says that a verified token is active: not revoked, its person and agent in good standing. */
export type CheckActive = (token: string, claims: AgentTokenClaims) => Promise<boolean>;

export interface CheckOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** How long an answer is good for. */
  rememberSeconds: number;
  fetch: Fetch;
  /** Milliseconds since 1970. */
  now: () => number;
}

interface Known {
  active: Promise<boolean>;
  /** Milliseconds since 1970; the future while the question is open. */
  until: number;
}

const MOST_KNOWN = 10_000;

/**
 * Asks Parley by introspection (RFC 7662) and remembers each answer, so that a token is asked about once in that time
 * however many requests carry it. Answers are kept by the token's id: the same token can be written in several ways.
 * A "no" is kept as well, or a revoked token sent again and again would use up what Parley lets this agent ask.
 * @throws {ParleyError} from the returned function when Parley gives no answer; nothing is known about the token then
 */
export function createActiveCheck(options: CheckOptions): CheckActive {
  const { rememberSeconds, now } = options;
  const known = new Map<string, Known>();

  return function checkActive(token, claims) {
    const found = known.get(claims.jti);
    if (found && now() < found.until) return found.active;
    const asked: Known = { active: ask(options, token, claims), until: Number.POSITIVE_INFINITY };
    known.delete(claims.jti);
    known.set(claims.jti, asked);
    asked.active.then(
      () => {
        asked.until = Math.min(now() + rememberSeconds * 1000, claims.exp * 1000);
      },
      () => known.delete(claims.jti),
    );
    const oldest = known.keys().next().value;
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return asked.active;
  };
}

async function ask(options: CheckOptions, token: string, { jti, sub, aud }: AgentTokenClaims): Promise<boolean> {
  const { issuer, clientId, clientSecret, fetch } = options;
  const answer = await requestJson(fetch, `${issuer}/api/auth/introspect`, {
    method: 'POST',
    headers: { authorization: basicCredentials(clientId, clientSecret), accept: 'application/json' },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
  });
  if (answer.active === false) return false;
  if (answer.active !== true) {
    throw new ParleyError('invalid_answer', `${issuer} did not say whether the token is active.`);
  }
  return answer.jti === jti && answer.sub === sub && answer.aud === aud;
}
