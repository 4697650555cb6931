import { sessionEnded, sessionStarted } from '../../observability';
import type { Call, Ctx, UserActor } from '../../platform/context';
import { newId } from '../../platform/ids';
import { newSecret, sha256 } from '../../platform/secrets/crypto';
import { authorize } from '../authorization';
import { sessionNotFound, wrongCredentials } from '../errors';
import { MAX_USER_AGENT_LENGTH, SESSION_LIFETIME_MS } from '../limits';
import type { SessionView } from '../schema-views';
import {
  type ClientInfo,
  deleteAllSessions,
  deleteOtherSessions,
  deleteSession,
  insertSession,
  type ListedSession,
  selectSessionsOf,
} from '../store/session-rows';
import { expiryOf, findSessionByHash, findSessionById, findUser, isExpired, storeLocale } from './session-cache';
import { describeUserAgent } from './user-agents';

const COOKIE_PATTERN = /^[\w-]{43}$/;

/** A new session. `token` is the cookie value; only its hash is stored. */
export interface StartedSession {
  token: string;
  expires: Date;
}

/**
 * Signs a user in with a new session and ends the previous session of the browser, even that of another user, to
 * prevent session fixation. If the account has no language, it receives that of the client.
 * @throws {ParleyError} `unauthenticated` if the account was deleted or its password changed in the meantime
 */
export async function startSession({
  ctx,
  input,
}: {
  ctx: Ctx;
  /**
   * `method`: the authentication method, such as `password`, `sign-up` or the provider. `passwordHash`: the hash that
   * was verified, which must still be the current one.
   */
  input: { userId: string; method: string; client: ClientInfo; passwordHash?: string | null };
}): Promise<StartedSession> {
  const token = newSecret('');
  const expires = new Date(ctx.now.getTime() + SESSION_LIFETIME_MS);
  const { userId, method } = input;
  const id = newId('ses');
  const client = { address: input.client.address, userAgent: input.client.userAgent.slice(0, MAX_USER_AGENT_LENGTH) };
  const times = { expires, signedInAt: ctx.now, lastSeenAt: ctx.now };
  const session = { id, tokenHash: sha256(token), userId, ...times, ...client };
  const audit = sessionStarted(ctx, { userId, id, method, client });
  const expectedPasswordHash = input.passwordHash ?? null;
  if (!(await insertSession(session, { expectedPasswordHash, audit }))) throw wrongCredentials();
  const { locale } = input.client;
  if (locale) await storeLocale(userId, { locale, onlyIfUnknown: true });
  if (ctx.actor.kind === 'user' && ctx.actor.credential.kind === 'session') {
    const { userId: previousUserId, credential } = ctx.actor;
    await deleteSession(previousUserId, credential.id, sessionEnded(ctx, { userId: previousUserId, why: 'replaced' }));
  }
  return { token, expires };
}

/**
 * Returns the user of a session cookie; null if the session is unknown, ended, idle for 14 days or older than 30 days,
 * or the account is suspended. Cached; a session that was ended on any node is invalid on all nodes within a second.
 */
export async function findSessionActor(cookie: string, now: Date): Promise<UserActor | null> {
  if (!COOKIE_PATTERN.test(cookie)) return null;
  const session = await findSessionByHash(sha256(cookie), now);
  if (!session) return null;
  const user = await findUser(session.userId);
  if (!user || user.suspended) return null;
  const { id: userId, email, name } = user;
  return { kind: 'user', userId, email, name, credential: { kind: 'session', id: session.id } };
}

/**
 * Returns the user of an active session; null if it is not active or the user is suspended. Tokens issued from the
 * session depend on this.
 */
export async function findActiveSession(sessionId: string, now: Date): Promise<{ userId: string } | null> {
  const session = await findSessionById(sessionId, now);
  if (!session) return null;
  const user = await findUser(session.userId);
  return user && !user.suspended ? { userId: user.id } : null;
}

/** Lists the user's sessions: the current one first, then the others, most recently used first. */
export async function listSessions({ ctx }: { ctx: Ctx }): Promise<SessionView[]> {
  const { userId, credential } = authorize(ctx.actor, 'account');
  const sessions = await selectSessionsOf(userId, ctx.now);
  const views = sessions
    .filter((session) => !isExpired(session, ctx.now))
    .map((session) => toSessionView(session, credential.id));
  return views.sort((a, b) => Number(b.current) - Number(a.current));
}

function toSessionView(session: ListedSession, currentId: string): SessionView {
  return {
    id: session.id,
    current: session.id === currentId,
    device: describeUserAgent(session.userAgent),
    address: session.address,
    signedInAt: session.signedInAt.toISOString(),
    lastSeenAt: session.lastSeenAt.toISOString(),
    expiresAt: expiryOf(session).toISOString(),
  };
}

/**
 * Ends one of the user's sessions, on every node within a second.
 * @throws {ParleyError} `not_found`, also for another user's session
 */
export async function endSession({ ctx, input }: Call<{ id: string }>): Promise<void> {
  const { userId } = authorize(ctx.actor, 'account');
  const audit = sessionEnded(ctx, { userId, why: 'ended' });
  if (!(await deleteSession(userId, input.id, audit))) throw sessionNotFound();
}

/** Ends every session of the user except the current one. Returns their number. */
export function endOtherSessions({ ctx }: { ctx: Ctx }): Promise<number> {
  const { userId, credential } = authorize(ctx.actor, 'account');
  return deleteOtherSessions(userId, credential.id, sessionEnded(ctx, { userId, why: 'ended' }));
}

/** Ends every session of the user, including the current one. Returns their number. */
export function endAllSessions({ ctx }: { ctx: Ctx }): Promise<number> {
  const { userId } = authorize(ctx.actor, 'account');
  return deleteAllSessions(userId, sessionEnded(ctx, { userId, why: 'ended' }));
}

/** Ends the current session. Does nothing without a session. */
export async function signOut({ ctx }: { ctx: Ctx }): Promise<void> {
  const { actor } = ctx;
  if (actor.kind === 'user' && actor.credential.kind === 'session') {
    const { userId, credential } = actor;
    await deleteSession(userId, credential.id, sessionEnded(ctx, { userId, why: 'signed-out' }));
  }
}
