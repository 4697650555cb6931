import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { type DeadLetter, findDeadLetters, maxDeadLetters } from '../store/push-deliveries';

const pageSize = 100;

/**
 * The person's latest 100 pushes that nobody took, latest first.
 * @throws {ParleyError} `unauthenticated`
 */
export async function listDeadLetters({ ctx }: { ctx: Ctx }): Promise<{ items: DeadLetter[] }> {
  return { items: await findDeadLetters(requireUserId(ctx), pageSize) };
}

/**
 * All of the person's pushes that nobody took and that are still kept, latest first.
 * @throws {ParleyError} `unauthenticated`
 */
export async function listAllDeadLetters({ ctx }: { ctx: Ctx }): Promise<DeadLetter[]> {
  return findDeadLetters(requireUserId(ctx), maxDeadLetters);
}

function requireUserId({ actor }: Ctx): string {
  if (actor.kind !== 'user') throw new ParleyError('unauthenticated', 'Sign in to see your undelivered pushes.');
  return actor.userId;
}
