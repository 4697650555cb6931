import type { Ctx } from '../platform/context';
import { requireUser } from './policy';
import type { AppView } from './schema';
import { listAppsOf } from './store/apps';
import { toAppView } from './to-wire';

/** The person's developer apps, newest first; of their secrets only how they begin. */
export async function listApps({ ctx }: { ctx: Ctx }): Promise<AppView[]> {
  const { userId } = requireUser(ctx.actor, 'agents:read');
  return (await listAppsOf(userId)).map(toAppView);
}
