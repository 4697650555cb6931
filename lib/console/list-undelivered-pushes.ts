import { listDeadPushes } from '../gateway';
import type { Ctx } from '../platform/context';
import type { UndeliveredPush } from './schema';

/**
 * The person's latest 100 pushes that nobody took, latest first.
 * @throws {ParleyError} `unauthenticated`
 */
export async function listUndeliveredPushes({ ctx }: { ctx: Ctx }): Promise<UndeliveredPush[]> {
  const { items } = await listDeadPushes({ ctx });
  return items.map(({ at, configId: _, ...push }) => ({ ...push, at: at.toISOString() }));
}
