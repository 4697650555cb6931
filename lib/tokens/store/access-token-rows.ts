import { Prisma } from '../../generated/prisma/client';
import { type AuditEntry, auditJson } from '../../observability';
import { notifyPayload, publishLocally } from '../../platform/bus';
import type { Db } from '../../platform/db/db';
import { int4, int8, nullable, type RowOf, row, text, textArray, timestamptz } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import type { TokenScope } from '../../platform/scopes';

const accessTokenRow = row({
  id: text(),
  userId: text(),
  name: text(),
  prefix: text(),
  /** Null for a device or connected app, whose tokens are derived from the row. */
  tokenHash: nullable(text()),
  /** The number of token renewals of a device or connected app; null for a personal token. */
  generation: nullable(int4()),
  /** The connection if the token is that of a connected app. */
  connectionId: nullable(text()),
  scopes: textArray<TokenScope>(),
  createdAt: timestamptz(),
  expiresAt: nullable(timestamptz()),
  lastUsedAt: nullable(timestamptz()),
});
const foundTokenRow = row({
  ...accessTokenRow.columns,
  /** The client and the only resource of a connected app's tokens. */
  clientId: nullable(text()),
  resource: nullable(text()),
});
const storedTokenRow = row({ ...accessTokenRow.columns, revokedAt: nullable(timestamptz()) });

/** A personal access token, or the tokens of a device's or connected app's sign-in. Not revoked. */
export type AccessTokenRecord = RowOf<typeof accessTokenRow>;
/** An access token with the data of its connection. */
export type FoundTokenRecord = RowOf<typeof foundTokenRow>;

const columns = `id, user_id AS "userId", name, prefix, token_hash AS "tokenHash", generation, connection_id AS "connectionId",
  scopes, created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt"`;

/** Finds an access token; null if it is unknown, or if the token or its connection is revoked. */
export async function findAccessToken(id: string): Promise<FoundTokenRecord | null> {
  return foundTokenRow.queryFirst(
    'tokens-access-token',
    `SELECT ${columns}, (SELECT client_id FROM connection WHERE id = connection_id) AS "clientId",
       (SELECT resource FROM connection WHERE id = connection_id) AS resource
     FROM access_token WHERE id = $1 AND revoked_at IS NULL
       AND NOT EXISTS (SELECT FROM connection WHERE id = connection_id AND revoked_at IS NOT NULL)`,
    [id],
  );
}

/** Lists personal and device tokens, newest first. */
export async function listAccessTokensOf(userId: string): Promise<AccessTokenRecord[]> {
  return accessTokenRow.query(
    'tokens-access-tokens-of',
    `SELECT ${columns} FROM access_token WHERE user_id = $1 AND connection_id IS NULL AND revoked_at IS NULL
     ORDER BY created_at DESC, id`,
    [userId],
  );
}

/** Lists all stored personal and device tokens of a user, including revoked ones, newest first. */
export async function listAllAccessTokensOf(userId: string): Promise<RowOf<typeof storedTokenRow>[]> {
  return storedTokenRow.query(
    'tokens-all-access-tokens-of',
    `SELECT ${columns}, revoked_at AS "revokedAt" FROM access_token WHERE user_id = $1 AND connection_id IS NULL
     ORDER BY created_at DESC, id`,
    [userId],
  );
}

/** Inserts a personal token unless its owner already has `limit` tokens. Returns true on success. */
export async function insertAccessToken(tx: Db, token: AccessTokenRecord, limit: number): Promise<boolean> {
  const { id, userId, name, prefix, tokenHash, scopes, createdAt, expiresAt } = token;
  const count = await executeIn(
    tx,
    Prisma.sql`INSERT INTO access_token (id, user_id, name, prefix, token_hash, scopes, created_at, expires_at)
      SELECT ${id}, ${userId}, ${name}, ${prefix}, ${tokenHash}, ${scopes}::text[], ${createdAt}, ${expiresAt}::timestamptz
      WHERE (SELECT count(*) FROM access_token
             WHERE user_id = ${userId} AND connection_id IS NULL AND revoked_at IS NULL) < ${limit}`,
  );
  return count === 1;
}

/** Inserts the tokens for a sign-in of a device or connected app. */
export async function insertTokenFamily(tx: Db, token: AccessTokenRecord): Promise<void> {
  const { id, userId, name, prefix, generation, connectionId, scopes, createdAt, expiresAt } = token;
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO access_token (id, user_id, name, prefix, generation, connection_id, scopes, created_at, expires_at)
      VALUES (${id}, ${userId}, ${name}, ${prefix}, ${generation}, ${connectionId}, ${scopes}, ${createdAt}, ${expiresAt})`,
  );
}

/**
 * Increments the refresh generation of a device or connected app. For a connected app, the previous generation is also
 * accepted for another `graceMs`, without a change. Returns null for any other generation, and if the row has expired.
 */
export async function renewTokenFamily(token: {
  id: string;
  generation: number;
  graceMs: number;
  now: Date;
}): Promise<AccessTokenRecord | null> {
  return accessTokenRow.queryFirst(
    'tokens-renew-token-family',
    `UPDATE access_token
     SET last_used_at = $3, generation = $2::int + 1, renewed_at = CASE WHEN generation = $2 THEN $3 ELSE renewed_at END
     WHERE id = $1 AND revoked_at IS NULL AND expires_at > $3::timestamptz AND (generation = $2
       OR connection_id IS NOT NULL AND generation = $2 + 1 AND renewed_at > $3 - make_interval(secs => $4 / 1000.0))
     RETURNING ${columns}`,
    [token.id, token.generation, token.now, token.graceMs],
  );
}

const countRow = row({ count: int8() });

/** Counts the personal and device tokens of a user. */
export async function countAccessTokensOf(userId: string): Promise<number> {
  const found = await countRow.queryFirst(
    'tokens-count-access-tokens',
    'SELECT count(*) AS count FROM access_token WHERE user_id = $1 AND connection_id IS NULL AND revoked_at IS NULL',
    [userId],
  );
  return found?.count ?? 0;
}

/** Revokes an access token of the user and notifies every node in the same statement. Returns true if it existed. */
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
 * Revokes all personal and device tokens of a user, or only device tokens, and notifies every node of each. Denies
 * device codes that were allowed but not redeemed.
 */
export async function markAllAccessTokensRevoked(
  { userId, devicesOnly, now }: { userId: string; devicesOnly: boolean; now: Date },
  audit: AuditEntry,
): Promise<void> {
  const revoked = await revokedRow.query(
    'tokens-revoke-all-access-tokens',
    `WITH revoked AS (
       UPDATE access_token SET revoked_at = $3
       WHERE user_id = $1 AND connection_id IS NULL AND revoked_at IS NULL AND (NOT $2::boolean OR generation IS NOT NULL)
       RETURNING id),
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

/** Records the use of a connected app's tokens, and of its connection. */
export async function touchConnectionToken(id: string, now: Date): Promise<void> {
  await execute(
    'tokens-touch-connection-token',
    `WITH used AS (UPDATE access_token SET last_used_at = $2 WHERE id = $1 RETURNING connection_id)
     UPDATE connection SET last_used_at = $2 FROM used WHERE id = connection_id`,
    [id, now],
  );
}
