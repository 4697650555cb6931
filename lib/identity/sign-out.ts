import { sessionEnded } from '../observability';
import type { Ctx } from '../platform/context';
import { deleteSession } from './store/sessions';

/** Ends the session that asks. Without one there is nothing to do, so that a second try is no error. */
export async function signOut({ ctx }: { ctx: Ctx }): Promise<void> {
  const { actor } = ctx;
  if (actor.kind === 'user' && actor.credential.kind === 'session') {
    const { userId, credential } = actor;
    await deleteSession(userId, credential.id, sessionEnded(ctx, { userId, why: 'signed-out' }));
  }
}
