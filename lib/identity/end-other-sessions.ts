import { sessionEnded } from '../observability';
import type { Ctx } from '../platform/context';
import { requireSession } from './policy';
import { deleteOtherSessions } from './store/sessions';

/** Ends every session of the person but the one that asks; answers how many. */
export function endOtherSessions({ ctx }: { ctx: Ctx }): Promise<number> {
  const { userId, sessionId } = requireSession(ctx.actor);
  return deleteOtherSessions(userId, sessionId, sessionEnded(ctx, { userId, why: 'ended' }));
}
