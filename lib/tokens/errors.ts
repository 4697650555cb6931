import { ParleyError } from '../platform/errors';
import { log } from '../platform/runtime/log';
import { OAuthError } from '../protocol/oauth/authorization-server';

/** Returns the same error for agents that are unknown, private to others, suspended or withdrawn. */
export function invalidTarget(): ParleyError {
  return new ParleyError('invalid_target', 'Agent not found, or you may not call it. Check agentSlug.');
}

/** Returns the error for every invalid agent token. Does not reveal which check failed. */
export function invalidToken(): ParleyError {
  return new ParleyError(
    'invalid_token',
    'The agent token is unknown, expired, revoked or issued for another agent. Get a new one from POST /api/auth/handshake.',
  );
}

/** Returns the error for a token that identifies the user to an agent but does not permit calls to it. */
export function missingScope(): ParleyError {
  return new ParleyError('insufficient_scope', 'The token lacks the scope agent:call.', {
    data: { scope: 'agent:call' },
  });
}

/** Returns the same error for objects that do not exist and those of another user. */
export function notFound(what: 'access token' | 'app' | 'connected app' | 'secret' | 'agent'): ParleyError {
  return new ParleyError('not_found', `You have no ${what} with this ${what === 'agent' ? 'slug' : 'ID'}.`);
}

export function limitReached(what: string, limit: number): ParleyError {
  return new ParleyError('conflict', `You have ${limit} ${what}, which is the limit. Remove one first.`, {
    data: { limit },
  });
}

/** Returns the same error for user codes that are unknown, expired, redeemed or already decided. */
export function deviceCodeNotFound(): ParleyError {
  return new ParleyError(
    'not_found',
    'No device is waiting with this code. Check the letters, or start again on the device. Codes expire after ten minutes.',
  );
}

export function invalidRefreshToken(): OAuthError {
  return new OAuthError('invalid_grant', 'The refresh token is unknown, expired, revoked or was already used.');
}

/**
 * Logs the reason for rejecting a token or secret, and returns null. Only the operator's log contains the reason; every
 * rejected caller receives the same error.
 */
export function refuse(reason: string): null {
  log.debug('tokens.refused', { reason });
  return null;
}
