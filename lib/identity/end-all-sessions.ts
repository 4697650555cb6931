import type { Ctx } from '../platform/context';
import { requireSession } from './policy';
import { deleteAllSessions } from './store/sessions';

/** Ends every session of the person, the one that asks too; answers how many. */
export function endAllSessions({ ctx }: { ctx: Ctx }): Promise<number> {
  return deleteAllSessions(requireSession(ctx.actor).userId);
}
