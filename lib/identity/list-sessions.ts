import type { Ctx } from '../platform/context';
import { isExpired, requireSession } from './policy';
import type { SessionView } from './schema';
import { selectSessionsOf } from './store/sessions';
import { toSessionView } from './to-wire';

/** Where the person is signed in: the session that asks, then the others, the latest used first. */
export async function listSessions({ ctx }: { ctx: Ctx }): Promise<SessionView[]> {
  const { userId, sessionId } = requireSession(ctx.actor);
  const sessions = await selectSessionsOf(userId, ctx.now);
  const views = sessions.filter((session) => !isExpired(session, ctx.now)).map((one) => toSessionView(one, sessionId));
  return views.sort((a, b) => Number(b.current) - Number(a.current));
}
