import { appCreated } from '../observability';
import type { Ctx } from '../platform/context';
import { newId } from '../platform/ids';
import { clientIdOf, newClientSecret } from './client-secret';
import { limitReached } from './errors';
import { requireUser } from './policy';
import type { CreateApp, NewClientSecret } from './schema';
import { countAppsOf, insertApp } from './store/apps';
import { toAppView } from './to-wire';

const maxPerUser = 100;

/**
 * Makes a developer app with its first secret, which is seen in this answer only.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `conflict` at 100 apps
 */
export async function createApp({ ctx, input }: { ctx: Ctx; input: CreateApp }): Promise<NewClientSecret> {
  const { userId } = requireUser(ctx.actor, 'agents:write');
  if ((await countAppsOf(userId)) >= maxPerUser) throw limitReached('apps', maxPerUser);
  const id = newId('app');
  const { clientSecret, row: secret } = newClientSecret(ctx.now);
  const app = { id, ownerId: userId, name: input.name, clientId: clientIdOf(id), createdAt: ctx.now };
  return { ...toAppView(await insertApp(app, { secret, audit: appCreated(ctx, app) })), clientSecret };
}
