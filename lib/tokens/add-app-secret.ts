import { appendAudit, secretChanged } from '../observability';
import { publishLocally } from '../platform/bus';
import type { Ctx } from '../platform/context';
import { inTransaction } from '../platform/tx';
import { newClientSecret } from './client-secret';
import { limitReached, notFound } from './errors';
import { isOwnId, requireUser } from './policy';
import type { AddAppSecret, NewClientSecret } from './schema';
import { type AppRecord, expireSecrets, insertSecret, lockApp } from './store/apps';
import { toAppView } from './to-wire';

const maxSecrets = 2;
const hourMs = 3_600_000;

/**
 * Gives an app a further secret, so that its agent can change over without a gap (TOK-10). With `othersEndInHours` those of
 * before end after that overlap, with 0 at once. Expired ones make room.
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
  const { othersEndInHours: hours } = input;
  const endsAt = hours === undefined ? null : new Date(ctx.now.getTime() + hours * hourMs);
  const { app, ended } = await inTransaction(async (tx): Promise<{ app: AppRecord; ended: string[] }> => {
    const locked = await lockApp(tx, { id: input.appId, ownerId: userId });
    if (!locked) throw notFound('app');
    const ended = endsAt ? await expireSecrets(tx, locked, endsAt) : [];
    const changed = await insertSecret(tx, locked, row);
    if (changed.secrets.length > maxSecrets) throw limitReached('live secrets', maxSecrets);
    const auditFields = { ownerId: userId, endsAt: endsAt ?? undefined };
    for (const id of ended) await appendAudit(tx, secretChanged(ctx, { ...auditFields, id, change: 'ended' }));
    await appendAudit(tx, secretChanged(ctx, { ownerId: userId, id: row.id, change: 'created' }));
    return { app: changed, ended };
  });
  publishLocally('app', app.clientId);
  for (const id of ended) publishLocally('credential', id);
  return { ...toAppView(app), clientSecret };
}
