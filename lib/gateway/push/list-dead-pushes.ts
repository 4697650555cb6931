import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { type DeadLetter, findDeadLetters } from '../store/push-deliveries';

const shown = 100;

/**
 * The person's latest 100 pushes that nobody took, latest first.
 * @throws {ParleyError} `unauthenticated`
 */
export async function listDeadPushes({ ctx }: { ctx: Ctx }): Promise<{ items: DeadLetter[] }> {
  if (ctx.actor.kind !== 'user') throw new ParleyError('unauthenticated', 'Sign in to see your undelivered pushes.');
  return { items: await findDeadLetters(ctx.actor.userId, shown) };
}
