import { sessionEnded } from '../observability';
import type { Ctx } from '../platform/context';
import { sessionNotFound } from './errors';
import { requireSession } from './policy';
import { deleteSession } from './store/sessions';

/**
 * Ends one of the person's sessions, on every node ≤ 1 s.
 * @throws {ParleyError} `not_found`, alike for an unknown id and another person's
 */
export async function endSession({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<void> {
  const { userId } = requireSession(ctx.actor);
  const audit = sessionEnded(ctx, { userId, why: 'ended' });
  if (!(await deleteSession(userId, input.id, audit))) throw sessionNotFound();
}
