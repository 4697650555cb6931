import { publish } from '../platform/bus';
import type { Ctx } from '../platform/context';
import { requireSession } from './policy';
import { updateName } from './store/users';

/** Changes the name that others see of the person. */
export async function renameUser({ ctx, input }: { ctx: Ctx; input: { name: string } }): Promise<void> {
  const { userId } = requireSession(ctx.actor);
  await updateName(userId, input.name);
  await publish('user', userId);
}
