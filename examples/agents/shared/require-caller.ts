import type { User } from '@a2a-js/sdk/server';
import type { Request, RequestHandler } from 'express';
import { type Caller, type Introspect, IntrospectionUnavailable } from './introspect';

/** The authenticated caller in the shape the SDK passes on to the agent's logic. Tasks are kept apart by `userName`. */
export class ParleyUser implements User {
  constructor(readonly caller: Caller) {}

  get isAuthenticated(): boolean {
    return true;
  }

  get userName(): string {
    return this.caller.subject;
  }
}

const users = new WeakMap<Request, ParleyUser>();

/**
 * Express middleware that lets nobody in whom Parley does not vouch for: 401 with the challenge of RFC 6750, section 3;
 * 503 while Parley cannot be asked. It runs before the body is read.
 */
export function requireCaller(introspect: Introspect): RequestHandler {
  return async function checkCaller(request, response, next) {
    const token = bearerToken(request);
    if (token === null) {
      response.set('WWW-Authenticate', 'Bearer realm="parley"').status(401);
      response.json({ error: 'unauthorized', error_description: 'Send an agent token from Parley as a bearer token.' });
      return;
    }
    try {
      const caller = await introspect(token);
      if (caller === null) {
        const description = 'The token is unknown, expired, revoked or made for another agent.';
        response.set(
          'WWW-Authenticate',
          `Bearer realm="parley", error="invalid_token", error_description="${description}"`,
        );
        response.status(401).json({ error: 'invalid_token', error_description: description });
        return;
      }
      users.set(request, new ParleyUser(caller));
    } catch (error) {
      if (!(error instanceof IntrospectionUnavailable)) throw error;
      console.error(error.message);
      response.set('Retry-After', '5').status(503);
      response.json({
        error: 'temporarily_unavailable',
        error_description: 'Who is calling cannot be checked right now.',
      });
      return;
    }
    next();
  };
}

/** The user that `requireCaller` let in. @throws {Error} when it did not run before */
export async function userOf(request: Request): Promise<ParleyUser> {
  const user = users.get(request);
  if (!user) throw new Error('the route is not behind requireCaller');
  return user;
}

/**
 * Parley puts its token into `Parley-Token` when the agent's owner needs `Authorization` for a credential of their
 * own.
 */
function bearerToken(request: Request): string | null {
  const own = request.get('parley-token')?.trim();
  if (own) return own.replace(/^bearer +/i, '');
  const match = /^bearer +(\S+) *$/i.exec(request.get('authorization') ?? '');
  return match?.[1] ?? null;
}
