import { type AuditEntry, auditJson } from '../../observability';
import { notifyPayload, publishLocally } from '../../platform/bus';
import { type Db, db } from '../../platform/db';
import type { AccessScope } from '../../platform/scopes';
import { query } from '../../platform/sql';

/** An access token that has not been revoked. */
export interface AccessTokenRecord {
  id: string;
  userId: string;
  name: string;
  prefix: string;
  /** Null for a device token, whose text is derived from the row. */
  tokenHash: string | null;
  /** How often a device has renewed its tokens; null for a personal token. */
  generation: number | null;
  scopes: AccessScope[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

const columns = `id, user_id AS "userId", name, prefix, token_hash AS "tokenHash", generation, scopes, created_at AS "createdAt",
  expires_at AS "expiresAt", last_used_at AS "lastUsedAt"`;

export async function findAccessToken(id: string): Promise<AccessTokenRecord | null> {
  const rows = await query<AccessTokenRecord>(
    'tokens-access-token',
    `SELECT ${columns} FROM access_token WHERE id = $1 AND revoked_at IS NULL`,
    [id],
  );
  return rows[0] ?? null;
}

/** Newest first. */
export async function listAccessTokensOf(userId: string): Promise<AccessTokenRecord[]> {
  return query<AccessTokenRecord>(
    'tokens-access-tokens-of',
    `SELECT ${columns} FROM access_token WHERE user_id = $1 AND revoked_at IS NULL ORDER BY created_at DESC, id`,
    [userId],
  );
}

/** All stored tokens of a user, revoked ones included, newest first. */
export async function listAllAccessTokensOf(
  userId: string,
): Promise<(AccessTokenRecord & { revokedAt: Date | null })[]> {
  return query<AccessTokenRecord & { revokedAt: Date | null }>(
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
  const rows = await query(
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
  return rows.length === 1;
}

/** Inserts a device token within a transaction. */
export async function insertDeviceToken(tx: Db, token: AccessTokenRecord): Promise<void> {
  await tx.accessToken.create({ data: token });
}

/**
 * Increments the refresh generation of a device; null when `generation` is not the current one or the row has expired.
 */
export async function renewDeviceToken(token: {
  id: string;
  generation: number;
  now: Date;
}): Promise<AccessTokenRecord | null> {
  const rows = await query<AccessTokenRecord>(
    'tokens-renew-device-token',
    `UPDATE access_token SET generation = generation + 1, last_used_at = $3
     WHERE id = $1 AND generation = $2 AND revoked_at IS NULL AND expires_at > $3 RETURNING ${columns}`,
    [token.id, token.generation, token.now],
  );
  return rows[0] ?? null;
}

/** Number of access tokens of a user, device tokens included. */
export async function countAccessTokensOf(userId: string): Promise<number> {
  return db().accessToken.count({ where: { userId, revokedAt: null } });
}

/** Revokes a token of that user and notifies every node in the same statement; returns whether there was one. */
export async function markAccessTokenRevoked(
  token: { id: string; userId: string; now: Date },
  audit: AuditEntry,
): Promise<boolean> {
  const rows = await query(
    'tokens-revoke-access-token',
    `WITH revoked AS (
       UPDATE access_token SET revoked_at = $3 WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL RETURNING id)
     SELECT pg_notify('parley', $4), audit_append($5::jsonb) FROM revoked`,
    [token.id, token.userId, token.now, notifyPayload('credential', token.id), auditJson(audit)],
  );
  publishLocally('credential', token.id);
  return rows.length === 1;
}

/**
 * Revokes all tokens of a user, or only device tokens, and notifies every node of each. Device codes that were allowed
 * but not redeemed are denied.
 */
export async function markAllAccessTokensRevoked(
  { userId, devicesOnly, now }: { userId: string; devicesOnly: boolean; now: Date },
  audit: AuditEntry,
): Promise<void> {
  const revoked = await query<{ id: string }>(
    'tokens-revoke-all-access-tokens',
    `WITH revoked AS (
       UPDATE access_token SET revoked_at = $3
       WHERE user_id = $1 AND revoked_at IS NULL AND (NOT $2::boolean OR generation IS NOT NULL) RETURNING id),
     turned_away AS (UPDATE device_code SET decision = 'denied' WHERE user_id = $1 AND decision = 'allowed')
     SELECT id, pg_notify('parley', $4 || id), audit_append($5::jsonb || jsonb_build_object('object', id))
     FROM (SELECT id FROM revoked ORDER BY id) AS all_revoked`,
    [userId, devicesOnly, now, notifyPayload('credential', ''), auditJson(audit)],
  );
  for (const { id } of revoked) publishLocally('credential', id);
}

export async function touchAccessToken(id: string, now: Date): Promise<void> {
  await query('tokens-touch-access-token', 'UPDATE access_token SET last_used_at = $2 WHERE id = $1', [id, now]);
}
