import { sessionEnded } from '../observability';
import type { Ctx } from '../platform/context';
import { requireSession } from './policy';
import { deleteAllSessions } from './store/sessions';

/** Ends every session of the person, the one that asks too; answers how many. */
export function endAllSessions({ ctx }: { ctx: Ctx }): Promise<number> {
  const { userId } = requireSession(ctx.actor);
  return deleteAllSessions(userId, sessionEnded(ctx, { userId, why: 'ended' }));
}
