import { ParleyError } from '../platform/errors';

/** One answer for agents that are unknown, private to another, suspended or withdrawn (TOK-2). */
export function invalidTarget(): ParleyError {
  return new ParleyError('invalid_target', 'There is no agent with this slug that you may call. Check agentSlug.');
}

/** One answer for every agent token that is not good here; which check failed is nobody's business. */
export function invalidToken(): ParleyError {
  return new ParleyError(
    'invalid_token',
    'The agent token is unknown, expired, revoked or made for another agent. Ask for a new one at POST /api/auth/handshake.',
  );
}

/** One answer for objects that do not exist and those of somebody else. */
export function notFound(what: 'access token' | 'app' | 'secret'): ParleyError {
  return new ParleyError('not_found', `You have no ${what} with this id.`);
}

export function tooMany(what: string, limit: number): ParleyError {
  return new ParleyError('conflict', `You have ${limit} ${what}, the most there can be. Remove one first.`, {
    data: { limit },
  });
}
