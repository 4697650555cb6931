import { sessionEnded, sessionStarted } from '../observability';
import type { Ctx } from '../platform/context';
import { newSecret, sha256 } from '../platform/crypto';
import { newId } from '../platform/ids';
import { wrongCredentials } from './errors';
import { SESSION_LIFETIME_MS } from './policy';
import { type ClientInfo, deleteSession, insertSession } from './store/sessions';

const maxUserAgentLength = 400;

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
  input: { userId: string; method: string; client: ClientInfo; passwordHash?: string | null };
}): Promise<StartedSession> {
  const token = newSecret('');
  const expires = new Date(ctx.now.getTime() + SESSION_LIFETIME_MS);
  const { userId, method: way } = input;
  const id = newId('ses');
  const place = { address: input.client.address, userAgent: input.client.userAgent.slice(0, maxUserAgentLength) };
  const session = { id, tokenHash: sha256(token), userId, expires, signedInAt: ctx.now, lastSeenAt: ctx.now, ...place };
  const audit = sessionStarted(ctx, { userId, id, method: way, place });
  if (!(await insertSession(session, { opener: input.passwordHash ?? null, audit }))) throw wrongCredentials();
  if (ctx.actor.kind === 'user' && ctx.actor.credential.kind === 'session') {
    const { userId: previousUserId, credential } = ctx.actor;
    await deleteSession(previousUserId, credential.id, sessionEnded(ctx, { userId: previousUserId, why: 'replaced' }));
  }
  return { token, expires };
}
