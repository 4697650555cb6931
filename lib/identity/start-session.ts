import type { Ctx } from '../platform/context';
import { newSecret, sha256 } from '../platform/crypto';
import { newId } from '../platform/ids';
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
 */
export async function startSession({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { userId: string; place: Place };
}): Promise<StartedSession> {
  const token = newSecret('');
  const expires = new Date(ctx.now.getTime() + SESSION_MS);
  const { userId } = input;
  const place = { address: input.place.address, userAgent: input.place.userAgent.slice(0, longestUserAgent) };
  await insertSession({ id: newId('ses'), userId, expires, lastSeenAt: ctx.now, ...place }, sha256(token));
  if (ctx.actor.kind === 'user' && ctx.actor.credential.kind === 'session') {
    await deleteSession(ctx.actor.userId, ctx.actor.credential.id);
  }
  return { token, expires };
}
