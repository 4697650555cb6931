import type { App, AppSecret } from '../../generated/prisma/client';
import { type AuditEntry, appendAudit, auditJson } from '../../observability';
import { notifyAllPayload, publishLocally } from '../../platform/bus';
import { type Db, db } from '../../platform/db';
import { query } from '../../platform/sql';
import { inTransaction } from '../../platform/tx';

export interface AppSecretRecord {
  id: string;
  prefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
}

export interface AppRecord {
  id: string;
  name: string;
  clientId: string;
  createdAt: Date;
  /** Oldest first. */
  secrets: AppSecretRecord[];
}

/** The secrets that authenticate a client. */
export interface ClientRecord {
  appId: string;
  secrets: { id: string; hash: string }[];
}

export interface NewSecretRow {
  id: string;
  prefix: string;
  secretHash: string;
  createdAt: Date;
  expiresAt: Date | null;
}

const withSecrets = { secrets: { orderBy: { createdAt: 'asc' } } } as const;

export async function findClient(clientId: string): Promise<ClientRecord | null> {
  const rows = await query<{ appId: string; id: string | null; hash: string }>(
    'tokens-client',
    `SELECT app.id AS "appId", secret.id, secret.secret_hash AS hash
     FROM app LEFT JOIN app_secret secret ON secret.app_id = app.id WHERE app.client_id = $1`,
    [clientId],
  );
  const [first] = rows;
  if (!first) return null;
  const secrets = rows.flatMap(({ id, hash }) => (id === null ? [] : [{ id, hash }]));
  return { appId: first.appId, secrets };
}

/** An app found by one of its secrets, or by its own id. */
export interface AppCredentialRecord {
  appId: string;
  ownerId: string;
  /** Expiry of the secret; null when it has none, and for the app itself. */
  expiresAt: Date | null;
}

export async function findAppCredential(id: string): Promise<AppCredentialRecord | null> {
  const text = id.startsWith('sec_')
    ? `SELECT app.id AS "appId", app.owner_id AS "ownerId", secret.expires_at AS "expiresAt"
       FROM app_secret secret JOIN app ON app.id = secret.app_id WHERE secret.id = $1`
    : `SELECT id AS "appId", owner_id AS "ownerId", NULL::timestamptz AS "expiresAt" FROM app WHERE id = $1`;
  const name = id.startsWith('sec_') ? 'tokens-secret-credential' : 'tokens-app-credential';
  return (await query<AppCredentialRecord>(name, text, [id]))[0] ?? null;
}

/** Newest first. */
export async function listAppsOf(ownerId: string): Promise<AppRecord[]> {
  const rows = await db().app.findMany({
    where: { ownerId },
    include: withSecrets,
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  });
  return rows.map(toApp);
}

export async function countAppsOf(ownerId: string): Promise<number> {
  return db().app.count({ where: { ownerId } });
}

export async function insertApp(
  app: { id: string; ownerId: string; name: string; clientId: string; createdAt: Date },
  { secret, audit }: { secret: NewSecretRow; audit: AuditEntry },
): Promise<AppRecord> {
  return inTransaction(async (tx) => {
    const row = await tx.app.create({ data: { ...app, secrets: { create: secret } }, include: withSecrets });
    await appendAudit(tx, audit);
    return toApp(row);
  });
}

/** The app of that owner, locked until the transaction ends, so that concurrent requests cannot exceed the limit. */
export async function lockApp(tx: Db, app: { id: string; ownerId: string }): Promise<AppRecord | null> {
  await tx.$queryRaw`SELECT id FROM app WHERE id = ${app.id} AND owner_id = ${app.ownerId} FOR UPDATE`;
  const row = await tx.app.findFirst({ where: app, include: withSecrets });
  return row && toApp(row);
}

/** Sets `expires_at` on a locked app's secrets that would expire later, and notifies every node; returns their ids. */
export async function expireSecrets(tx: Db, app: AppRecord, endsAt: Date): Promise<string[]> {
  const affected = app.secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > endsAt).map(({ id }) => id);
  await tx.appSecret.updateMany({ where: { id: { in: affected } }, data: { expiresAt: endsAt } });
  for (const id of affected)
    await tx.$queryRaw`SELECT pg_notify('parley', ${notifyAllPayload('credential', id)})::text`;
  return affected;
}

/** Inserts a secret into a locked app, deletes its expired ones, and returns the app afterwards. */
export async function insertSecret(tx: Db, app: AppRecord, secret: NewSecretRow): Promise<AppRecord> {
  await tx.appSecret.deleteMany({ where: { appId: app.id, expiresAt: { lte: secret.createdAt } } });
  await tx.appSecret.create({ data: { ...secret, appId: app.id } });
  await tx.$queryRaw`SELECT pg_notify('parley', ${notifyAllPayload('app', app.clientId)})::text`;
  return toApp(await tx.app.findUniqueOrThrow({ where: { id: app.id }, include: withSecrets }));
}

/**
 * Deletes a secret of that owner's app and notifies every node in the same statement; returns whether there was one.
 */
export async function deleteSecret(
  secret: { id: string; appId: string; ownerId: string },
  audit: AuditEntry,
): Promise<boolean> {
  const rows = await query<{ clientId: string }>(
    'tokens-delete-secret',
    `WITH removed AS (
       DELETE FROM app_secret secret USING app
       WHERE secret.id = $1 AND secret.app_id = $2 AND app.id = secret.app_id AND app.owner_id = $3
       RETURNING app.client_id)
     SELECT client_id AS "clientId", pg_notify('parley', $4 || client_id), pg_notify('parley', $5),
            audit_append($6::jsonb)
     FROM removed`,
    [
      secret.id,
      secret.appId,
      secret.ownerId,
      notifyAllPayload('app', ''),
      notifyAllPayload('credential', secret.id),
      auditJson(audit),
    ],
  );
  for (const { clientId } of rows) publishLocally('app', clientId);
  publishLocally('credential', secret.id);
  return rows.length === 1;
}

export async function isAppOwner(app: { id: string; ownerId: string }): Promise<boolean> {
  return (await db().app.count({ where: app })) === 1;
}

export async function touchSecret(id: string, now: Date): Promise<void> {
  await query('tokens-touch-secret', 'UPDATE app_secret SET last_used_at = $2 WHERE id = $1', [id, now]);
}

function toApp({ id, name, clientId, createdAt, secrets }: App & { secrets: AppSecret[] }): AppRecord {
  return { id, name, clientId, createdAt, secrets: secrets.map(toSecret) };
}

function toSecret({ id, prefix, createdAt, lastUsedAt, expiresAt }: AppSecret): AppSecretRecord {
  return { id, prefix, createdAt, lastUsedAt, expiresAt };
}
