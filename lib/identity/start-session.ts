import { sessionEnded, sessionStarted } from '../observability';
import type { Ctx } from '../platform/context';
import { newSecret, sha256 } from '../platform/crypto';
import { newId } from '../platform/ids';
import { wrongCredentials } from './errors';
import { SESSION_MS } from './policy';
import { deleteSession, insertSession, type Place } from './store/sessions';

const longestUserAgent = 400;

/** A new session. `token` is the cookie's value; only its hash is kept. */
export interface StartedSession {
  token: string;
  expires: Date;
}

/**
 * Signs a person in, with a session of its own every time. The session that the browser had before, whoever's it was,
 * ends: nobody can prepare one for another person to fill (SES-1).
 * @throws {ParleyError} `unauthenticated` when the account is gone or its password has changed meanwhile
 */
export async function startSession({
  ctx,
  input,
}: {
  ctx: Ctx;
  /**
   * `way`: how the person proved who they are: `password`, `sign-up` or the provider. `passwordHash`: that of the password
   * that they proved, which must still be theirs.
   */
  input: { userId: string; way: string; place: Place; passwordHash?: string | null };
}): Promise<StartedSession> {
  const token = newSecret('');
  const expires = new Date(ctx.now.getTime() + SESSION_MS);
  const { userId, way } = input;
  const id = newId('ses');
  const place = { address: input.place.address, userAgent: input.place.userAgent.slice(0, longestUserAgent) };
  const session = { id, tokenHash: sha256(token), userId, expires, signedInAt: ctx.now, lastSeenAt: ctx.now, ...place };
  const audit = sessionStarted(ctx, { userId, id, way, place });
  if (!(await insertSession(session, { opener: input.passwordHash ?? null, audit }))) throw wrongCredentials();
  if (ctx.actor.kind === 'user' && ctx.actor.credential.kind === 'session') {
    const { userId: whose, credential } = ctx.actor;
    await deleteSession(whose, credential.id, sessionEnded(ctx, { userId: whose, why: 'replaced' }));
  }
  return { token, expires };
}
