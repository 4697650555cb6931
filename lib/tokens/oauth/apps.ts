import { authorize } from '../../identity';
import { appChanged, appendAudit, secretChanged } from '../../observability';
import type { Call, Ctx } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import { HOUR_MS } from '../../platform/time';
import { isOwnId } from '../authorization';
import { clientIdOf, newClientSecret } from '../credentials/authenticate-clients';
import { limitReached, notFound } from '../errors';
import { MAX_APP_SECRETS, MAX_APPS } from '../limits';
import type { AddAppSecret, AppSecretView, AppView, CreateApp, NewClientSecret, SetRedirectUris } from '../schema';
import { deleteSecret } from '../store/app-credentials';
import {
  type AppRecord,
  type AppSecretRecord,
  countAppsOf,
  expireSecrets,
  insertApp,
  insertSecret,
  isAppOwner,
  listAppsOf,
  lockApp,
  updateRedirectUris,
} from '../store/client-rows';

/**
 * Creates a developer app with its first client secret, which is not returned again.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `conflict` at 100 apps
 */
export async function createApp({ ctx, input }: Call<CreateApp>): Promise<NewClientSecret> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:write' });
  if ((await countAppsOf(userId)) >= MAX_APPS) throw limitReached('apps', MAX_APPS);
  const id = newId('app');
  const { clientSecret, row: secret } = newClientSecret(ctx.now);
  const app = { id, ownerId: userId, name: input.name, clientId: clientIdOf(id), createdAt: ctx.now };
  return {
    ...toAppView(await insertApp(app, { secret, audit: appChanged(ctx, { ...app, change: 'created' }) })),
    clientSecret,
  };
}

/** Lists the user's developer apps, newest first, with only the prefixes of their secrets. */
export async function listApps({ ctx }: { ctx: Ctx }): Promise<AppView[]> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  return (await listAppsOf(userId)).map(toAppView);
}

/** Returns true if the user owns the app, and may therefore link an agent to it. */
export async function ownsApp({ userId, appId }: { userId: string; appId: string }): Promise<boolean> {
  return isOwnId(appId) && isAppOwner({ id: appId, ownerId: userId });
}

/**
 * Replaces the redirect URIs of the user's app.
 * @throws {ParleyError} `not_found`, also for another user's app
 */
export async function setRedirectUris({ ctx, input }: Call<SetRedirectUris & { appId: string }>): Promise<AppView> {
  const { userId: ownerId } = authorize(ctx.actor, { scope: 'agents:write' });
  const app = { id: input.appId, ownerId, redirectUris: [...new Set(input.redirectUris)] };
  const changed = isOwnId(app.id) && (await updateRedirectUris(app, appChanged(ctx, { ...app, change: 'changed' })));
  if (!changed) throw notFound('app');
  return toAppView(changed);
}

/**
 * Adds a secret to an app, so that its agent can rotate without downtime. With `othersEndInHours`, the previous secrets
 * expire after that time; 0 means immediately. Deletes expired secrets first.
 * @throws {ParleyError} `not_found`, also for another user's app; `conflict` if two secrets are active
 */
export async function addAppSecret({ ctx, input }: Call<AddAppSecret & { appId: string }>): Promise<NewClientSecret> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:write' });
  if (!isOwnId(input.appId)) throw notFound('app');
  const { clientSecret, row } = newClientSecret(ctx.now, input.expiresInDays);
  const { othersEndInHours: hours } = input;
  const endsAt = hours === undefined ? null : new Date(ctx.now.getTime() + hours * HOUR_MS);
  const app = await inTransaction(async (tx) => {
    const locked = await lockApp(tx, { id: input.appId, ownerId: userId });
    if (!locked) throw notFound('app');
    const ended = endsAt ? await expireSecrets(tx, locked, endsAt) : [];
    const changed = await insertSecret(tx, locked, row);
    if (changed.secrets.length > MAX_APP_SECRETS) throw limitReached('live secrets', MAX_APP_SECRETS);
    const auditFields = { ownerId: userId, endsAt: endsAt ?? undefined };
    for (const id of ended) await appendAudit(tx, secretChanged(ctx, { ...auditFields, id, change: 'ended' }));
    await appendAudit(tx, secretChanged(ctx, { ownerId: userId, id: row.id, change: 'created' }));
    return changed;
  });
  return { ...toAppView(app), clientSecret };
}

/**
 * Deletes a secret of the user's app. It is rejected on this node immediately and on other nodes within a second.
 * @throws {ParleyError} `not_found`, also for another user's secret
 */
export async function removeAppSecret({ ctx, input }: Call<{ appId: string; secretId: string }>): Promise<void> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:write' });
  const { appId, secretId } = input;
  const known = isOwnId(appId) && isOwnId(secretId);
  const secret = { id: secretId, appId, ownerId: userId };
  const audit = secretChanged(ctx, { ...secret, change: 'removed' });
  if (!known || !(await deleteSecret(secret, audit))) throw notFound('secret');
}

function toAppView({ createdAt, secrets, ...app }: AppRecord): AppView {
  return { ...app, createdAt: createdAt.toISOString(), secrets: secrets.map(toSecretView) };
}

function toSecretView({ id, prefix, createdAt, lastUsedAt, expiresAt }: AppSecretRecord): AppSecretView {
  return {
    id,
    prefix,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
