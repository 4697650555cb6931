import { Prisma } from '../../generated/prisma/client';
import { type AuditEntry, auditJson } from '../../observability';
import { notifyPayload, publishLocally } from '../../platform/bus';
import type { Db } from '../../platform/db';
import { int4, int8, nullable, type RowOf, row, text, textArray, timestamptz } from '../../platform/rows';
import type { AccessScope } from '../../platform/scopes';
import { execute, executeIn } from '../../platform/sql';

const accessTokenRow = row({
  id: text(),
  userId: text(),
  name: text(),
  prefix: text(),
  /** Null for a device token, whose text is derived from the row. */
  tokenHash: nullable(text()),
  /** How often a device has renewed its tokens; null for a personal token. */
  generation: nullable(int4()),
  scopes: textArray<AccessScope>(),
  createdAt: timestamptz(),
  expiresAt: nullable(timestamptz()),
  lastUsedAt: nullable(timestamptz()),
});
const storedTokenRow = row({ ...accessTokenRow.columns, revokedAt: nullable(timestamptz()) });

/** An access token that has not been revoked. */
export type AccessTokenRecord = RowOf<typeof accessTokenRow>;

const columns = `id, user_id AS "userId", name, prefix, token_hash AS "tokenHash", generation, scopes, created_at AS "createdAt",
  expires_at AS "expiresAt", last_used_at AS "lastUsedAt"`;

export async function findAccessToken(id: string): Promise<AccessTokenRecord | null> {
  return accessTokenRow.queryFirst(
    'tokens-access-token',
    `SELECT ${columns} FROM access_token WHERE id = $1 AND revoked_at IS NULL`,
    [id],
  );
}

/** Newest first. */
export async function listAccessTokensOf(userId: string): Promise<AccessTokenRecord[]> {
  return accessTokenRow.query(
    'tokens-access-tokens-of',
    `SELECT ${columns} FROM access_token WHERE user_id = $1 AND revoked_at IS NULL ORDER BY created_at DESC, id`,
    [userId],
  );
}

/** All stored tokens of a user, revoked ones included, newest first. */
export async function listAllAccessTokensOf(userId: string): Promise<RowOf<typeof storedTokenRow>[]> {
  return storedTokenRow.query(
    'tokens-all-access-tokens-of',
    `SELECT ${columns}, revoked_at AS "revokedAt" FROM access_token WHERE user_id = $1 ORDER BY created_at DESC, id`,
    [userId],
  );
}

/** Inserts a token unless its owner already has `limit`; returns whether it did. */
export async function insertAccessToken(
  token: AccessTokenRecord,
  { limit, audit }: { limit: number; audit: AuditEntry },
): Promise<boolean> {
  const count = await execute(
    'tokens-insert-access-token',
    `WITH added AS (
       INSERT INTO access_token (id, user_id, name, prefix, token_hash, scopes, created_at, expires_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8
       WHERE (SELECT count(*) FROM access_token WHERE user_id = $2 AND revoked_at IS NULL) < $9
       RETURNING id)
     SELECT audit_append($10::jsonb) FROM added`,
    [
      token.id,
      token.userId,
      token.name,
      token.prefix,
      token.tokenHash,
      token.scopes,
      token.createdAt,
      token.expiresAt,
      limit,
      auditJson(audit),
    ],
  );
  return count === 1;
}

/** Inserts a device token within a transaction. */
export async function insertDeviceToken(tx: Db, token: AccessTokenRecord): Promise<void> {
  const { id, userId, name, prefix, tokenHash, generation, scopes, createdAt, expiresAt, lastUsedAt } = token;
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO access_token (id, user_id, name, prefix, token_hash, generation, scopes, created_at, expires_at,
        last_used_at)
      VALUES (${id}, ${userId}, ${name}, ${prefix}, ${tokenHash}, ${generation}, ${scopes}, ${createdAt}, ${expiresAt},
        ${lastUsedAt})`,
  );
}

/**
 * Increments the refresh generation of a device; null when `generation` is not the current one or the row has expired.
 */
export async function renewDeviceToken(token: {
  id: string;
  generation: number;
  now: Date;
}): Promise<AccessTokenRecord | null> {
  return accessTokenRow.queryFirst(
    'tokens-renew-device-token',
    `UPDATE access_token SET generation = generation + 1, last_used_at = $3
     WHERE id = $1 AND generation = $2 AND revoked_at IS NULL AND expires_at > $3 RETURNING ${columns}`,
    [token.id, token.generation, token.now],
  );
}

const countRow = row({ count: int8() });

/** Number of access tokens of a user, device tokens included. */
export async function countAccessTokensOf(userId: string): Promise<number> {
  const found = await countRow.queryFirst(
    'tokens-count-access-tokens',
    'SELECT count(*) AS count FROM access_token WHERE user_id = $1 AND revoked_at IS NULL',
    [userId],
  );
  return found?.count ?? 0;
}

/** Revokes a token of that user and notifies every node in the same statement; returns whether there was one. */
export async function markAccessTokenRevoked(
  token: { id: string; userId: string; now: Date },
  audit: AuditEntry,
): Promise<boolean> {
  const count = await execute(
    'tokens-revoke-access-token',
    `WITH revoked AS (
       UPDATE access_token SET revoked_at = $3 WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL RETURNING id)
     SELECT pg_notify('parley', $4), audit_append($5::jsonb) FROM revoked`,
    [token.id, token.userId, token.now, notifyPayload('credential', token.id), auditJson(audit)],
  );
  publishLocally('credential', token.id);
  return count === 1;
}

const revokedRow = row({ id: text() });

/**
 * Revokes all tokens of a user, or only device tokens, and notifies every node of each. Device codes that were allowed
 * but not redeemed are denied.
 */
export async function markAllAccessTokensRevoked(
  { userId, devicesOnly, now }: { userId: string; devicesOnly: boolean; now: Date },
  audit: AuditEntry,
): Promise<void> {
  const revoked = await revokedRow.query(
    'tokens-revoke-all-access-tokens',
    `WITH revoked AS (
       UPDATE access_token SET revoked_at = $3
       WHERE user_id = $1 AND revoked_at IS NULL AND (NOT $2::boolean OR generation IS NOT NULL) RETURNING id),
     denied AS (UPDATE device_code SET decision = 'denied' WHERE user_id = $1 AND decision = 'allowed')
     SELECT id, pg_notify('parley', $4 || id) AS _id, audit_append($5::jsonb || jsonb_build_object('object', id)) AS _audit
     FROM (SELECT id FROM revoked ORDER BY id) AS all_revoked`,
    [userId, devicesOnly, now, notifyPayload('credential', ''), auditJson(audit)],
  );
  for (const { id } of revoked) publishLocally('credential', id);
}

export async function touchAccessToken(id: string, now: Date): Promise<void> {
  await execute('tokens-touch-access-token', 'UPDATE access_token SET last_used_at = $2 WHERE id = $1', [id, now]);
}
