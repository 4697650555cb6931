import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { type DeadLetter, findDeadLetters, keptLetters } from '../store/push-deliveries';

const shown = 100;

/**
 * The person's latest 100 pushes that nobody took, latest first.
 * @throws {ParleyError} `unauthenticated`
 */
export async function listDeadPushes({ ctx }: { ctx: Ctx }): Promise<{ items: DeadLetter[] }> {
  return { items: await findDeadLetters(requireUserId(ctx), shown) };
}

/**
 * All of the person's pushes that nobody took and that are still kept, latest first.
 * @throws {ParleyError} `unauthenticated`
 */
export async function listAllDeadPushes({ ctx }: { ctx: Ctx }): Promise<DeadLetter[]> {
  return findDeadLetters(requireUserId(ctx), keptLetters);
}

function requireUserId({ actor }: Ctx): string {
  if (actor.kind !== 'user') throw new ParleyError('unauthenticated', 'Sign in to see your undelivered pushes.');
  return actor.userId;
}
