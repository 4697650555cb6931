import { findSessionById, findUser } from './session-cache';

/** Whose session this is while it lives and its person is not suspended: what tokens made by it depend on. */
export async function findActiveSession(sessionId: string, now: Date): Promise<{ userId: string } | null> {
  const session = await findSessionById(sessionId, now);
  if (!session) return null;
  const user = await findUser(session.userId);
  return user && !user.suspended ? { userId: user.id } : null;
}
