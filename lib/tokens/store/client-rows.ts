import type { App, AppSecret } from '../../generated/prisma/client';
import { type AuditEntry, appendAudit } from '../../observability';
import { type Db, db } from '../../platform/db/db';
import { inTransaction, lockRowAndReferences, publishAtCommit } from '../../platform/db/tx';
import { MAX_LISTED_BLOCKED_CLIENTS } from '../limits';

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
  redirectUris: string[];
  createdAt: Date;
  /** Oldest first. */
  secrets: AppSecretRecord[];
}

export interface NewSecretRow {
  id: string;
  prefix: string;
  secretHash: string;
  createdAt: Date;
  expiresAt: Date | null;
}

const withSecrets = { secrets: { orderBy: { createdAt: 'asc' } } } as const;

/** Lists the apps of an owner, newest first. */
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

/**
 * Selects the owner's app and locks it until the transaction ends, so that concurrent requests cannot exceed the limit;
 * null if there is no such app.
 */
export async function lockApp(tx: Db, app: { id: string; ownerId: string }): Promise<AppRecord | null> {
  await lockRowAndReferences(tx, 'app', { id: app.id, owner_id: app.ownerId });
  const row = await tx.app.findFirst({ where: app, include: withSecrets });
  return row && toApp(row);
}

/**
 * Sets the expiry of a locked app's secrets to `endsAt` if they expire later or never, and notifies every node. Returns
 * their ids.
 */
export async function expireSecrets(tx: Db, app: AppRecord, endsAt: Date): Promise<string[]> {
  const affected = app.secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > endsAt).map(({ id }) => id);
  await tx.appSecret.updateMany({ where: { id: { in: affected } }, data: { expiresAt: endsAt } });
  await publishAtCommit(tx, 'credential', ...affected);
  return affected;
}

/** Inserts a secret into a locked app, deletes its expired secrets, and returns the updated app. */
export async function insertSecret(tx: Db, app: AppRecord, secret: NewSecretRow): Promise<AppRecord> {
  await tx.appSecret.deleteMany({ where: { appId: app.id, expiresAt: { lte: secret.createdAt } } });
  await tx.appSecret.create({ data: { ...secret, appId: app.id } });
  await publishAtCommit(tx, 'app', app.clientId);
  return toApp(await tx.app.findUniqueOrThrow({ where: { id: app.id }, include: withSecrets }));
}

/** Replaces the redirect URIs of the owner's app and notifies every node; null if there is no such app. */
export async function updateRedirectUris(
  app: { id: string; ownerId: string; redirectUris: string[] },
  audit: AuditEntry,
): Promise<AppRecord | null> {
  const { id, ownerId, redirectUris } = app;
  return inTransaction(async (tx) => {
    if (!(await lockApp(tx, { id, ownerId }))) return null;
    const row = await tx.app.update({ where: { id }, data: { redirectUris }, include: withSecrets });
    await publishAtCommit(tx, 'app', row.clientId);
    await appendAudit(tx, audit);
    return toApp(row);
  });
}

export async function isAppOwner(app: { id: string; ownerId: string }): Promise<boolean> {
  return (await db().app.count({ where: app })) === 1;
}

function toApp({ id, name, clientId, redirectUris, createdAt, secrets }: App & { secrets: AppSecret[] }): AppRecord {
  return { id, name, clientId, redirectUris, createdAt, secrets: secrets.map(toSecret) };
}

function toSecret({ id, prefix, createdAt, lastUsedAt, expiresAt }: AppSecret): AppSecretRecord {
  return { id, prefix, createdAt, lastUsedAt, expiresAt };
}

/**
 * Deletes a user's access tokens, device codes, connected apps, grants and apps with their secrets, and notifies every
 * node of the deleted clients. Returns the ids of these clients.
 */
export async function eraseCredentials(tx: Db, userId: string): Promise<{ clientIds: string[] }> {
  await tx.accessToken.deleteMany({ where: { userId } });
  await tx.deviceCode.deleteMany({ where: { userId } });
  await tx.connection.deleteMany({ where: { userId } });
  await tx.agentGrant.deleteMany({ where: { userId } });
  const apps = await tx.app.findMany({ where: { ownerId: userId }, select: { clientId: true } });
  await tx.app.deleteMany({ where: { ownerId: userId } });
  const clientIds = apps.map(({ clientId }) => clientId);
  await publishAtCommit(tx, 'app', ...clientIds);
  return { clientIds };
}

export interface BlockRecord {
  id: string;
  clientId: string;
  reason: string;
  createdAt: Date;
}

/**
 * Returns the key of a client in notifications and caches. It is encoded, because client ids may contain commas, which
 * separate keys.
 */
export function blockKeyOf(clientId: string): string {
  return Buffer.from(clientId).toString('base64url');
}

/** Returns true if the client with this key is blocked. */
export async function isBlocked(key: string): Promise<boolean> {
  const clientId = Buffer.from(key, 'base64url').toString();
  return (await db().blockedClient.count({ where: { clientId } })) === 1;
}

/** Lists the latest blocks, newest first. */
export async function listBlocks(): Promise<BlockRecord[]> {
  return db().blockedClient.findMany({
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: MAX_LISTED_BLOCKED_CLIENTS,
  });
}

/** Blocks a client and notifies every node. Returns false if it is already blocked. */
export async function insertBlock(block: BlockRecord, audit: AuditEntry): Promise<boolean> {
  return inTransaction(async (tx) => {
    const { count } = await tx.blockedClient.createMany({ data: block, skipDuplicates: true });
    if (count === 0) return false;
    await publishAtCommit(tx, 'client', blockKeyOf(block.clientId));
    await appendAudit(tx, audit);
    return true;
  });
}

/** Removes a block and notifies every node. Returns the client id, or null if there is no such block. */
export async function deleteBlock(id: string, audit: AuditEntry): Promise<string | null> {
  return inTransaction(async (tx) => {
    const found = await tx.blockedClient.findUnique({ where: { id } });
    const { count } = await tx.blockedClient.deleteMany({ where: { id } });
    if (!found || count === 0) return null;
    await publishAtCommit(tx, 'client', blockKeyOf(found.clientId));
    await appendAudit(tx, audit);
    return found.clientId;
  });
}
