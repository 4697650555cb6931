import { publishHere } from '../platform/bus';
import type { Ctx } from '../platform/context';
import { inTransaction } from '../platform/tx';
import { newClientSecret } from './client-secret';
import { notFound, tooMany } from './errors';
import { isOwnId, requireUser } from './policy';
import type { AddAppSecret, NewClientSecret } from './schema';
import { type AppRecord, insertSecret, lockApp } from './store/apps';
import { toAppView } from './to-wire';

const maxSecrets = 2;

/**
 * Gives an app a further secret, so that its agent can change over without a gap (TOK-10). Expired ones make room.
 * @throws {ParleyError} `not_found`, also for apps of others; `conflict` when two are live
 */
export async function addAppSecret({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: AddAppSecret & { appId: string };
}): Promise<NewClientSecret> {
  const { userId } = requireUser(ctx.actor, 'agents:write');
  if (!isOwnId(input.appId)) throw notFound('app');
  const { clientSecret, row } = newClientSecret(ctx.now, input.expiresInDays);
  const app = await inTransaction(async (tx): Promise<AppRecord> => {
    const locked = await lockApp(tx, { id: input.appId, ownerId: userId });
    if (!locked) throw notFound('app');
    const changed = await insertSecret(tx, locked, row);
    if (changed.secrets.length > maxSecrets) throw tooMany('live secrets', maxSecrets);
    return changed;
  });
  publishHere('app', app.clientId);
  return { ...toAppView(app), clientSecret };
}
