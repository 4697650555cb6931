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

/** A token that tells an agent who somebody is, and lets nobody call it. */
export function missingScope(): ParleyError {
  return new ParleyError('insufficient_scope', 'The token lacks the scope agent:call.', {
    data: { scope: 'agent:call' },
  });
}

/** One answer for objects that do not exist and those of somebody else. */
export function notFound(what: 'access token' | 'app' | 'secret' | 'agent'): ParleyError {
  return new ParleyError('not_found', `You have no ${what} with this ${what === 'agent' ? 'slug' : 'id'}.`);
}

export function limitReached(what: string, limit: number): ParleyError {
  return new ParleyError('conflict', `You have ${limit} ${what}, the most there can be. Remove one first.`, {
    data: { limit },
  });
}

/** One answer for codes that are unknown, expired, used or decided already (TOK-5). */
export function deviceCodeNotFound(): ParleyError {
  return new ParleyError(
    'not_found',
    'No device is waiting with this code. Check the letters, or start again on the device: a code lasts ten minutes.',
  );
}
