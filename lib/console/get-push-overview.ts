import { listDeadLetters, listFailingPushes } from '../gateway';
import type { Ctx } from '../platform/context';
import type { PushOverview } from './schema';

/**
 * The person's receivers of pushes that fail now, and their latest 100 pushes that nobody took, latest first.
 * @throws {ParleyError} `unauthenticated`
 */
export async function getPushOverview({ ctx }: { ctx: Ctx }): Promise<PushOverview> {
  const [failing, { items }] = await Promise.all([listFailingPushes({ ctx }), listDeadLetters({ ctx })]);
  return {
    failing: failing.map(({ failingSince, nextTry, ...push }) => ({
      ...push,
      failingSince: failingSince.toISOString(),
      nextTry: nextTry.toISOString(),
    })),
    undelivered: items.map(({ at, configId: _, ...push }) => ({ ...push, at: at.toISOString() })),
  };
}
