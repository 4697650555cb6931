import { Prisma } from '../../generated/prisma/client';
import { type AuditEntry, auditJson } from '../../observability';
import type { Db } from '../../platform/db/db';
import { nullable, type RowOf, row, text, textArray, timestamptz } from '../../platform/db/rows';
import { executeIn } from '../../platform/db/sql';
import { inTransaction, publishAtCommit } from '../../platform/db/tx';
import type { ConnectionScope } from '../../platform/scopes';
import { AUTHORIZATION_CODE_RETENTION_MS, MAX_CONNECTION_SIGN_INS, MAX_CONNECTIONS } from '../limits';

const connectionRow = row({
  id: text(),
  clientId: text(),
  clientKind: text<'document' | 'registered' | 'app'>(),
  clientName: text(),
  clientHost: nullable(text()),
  resource: text(),
  scopes: textArray<ConnectionScope>(),
  createdAt: timestamptz(),
  lastUsedAt: nullable(timestamptz()),
  revokedAt: nullable(timestamptz()),
});

/** A user's consent for a client with one resource. */
export type ConnectionRecord = RowOf<typeof connectionRow>;

/** The subject of a user's consent. The hash is that of the client id. */
interface NewConnection extends Omit<ConnectionRecord, 'lastUsedAt' | 'revokedAt'> {
  userId: string;
  clientHash: string;
}

const columns = `id, client_id AS "clientId", client_kind AS "clientKind", client_name AS "clientName",
  client_host AS "clientHost", resource, scopes, created_at AS "createdAt", last_used_at AS "lastUsedAt",
  revoked_at AS "revokedAt"`;

/** Returns all stored connections of a user, revoked ones included, newest first. */
export async function listConnectionsOf(userId: string): Promise<ConnectionRecord[]> {
  return connectionRow.query(
    'tokens-connections-of',
    `SELECT ${columns} FROM connection WHERE user_id = $1 ORDER BY created_at DESC, id`,
    [userId],
  );
}

/** Finds the active connection of a user with a client for a resource; null if there is none. */
export async function findConnection(key: {
  userId: string;
  clientHash: string;
  resource: string;
}): Promise<ConnectionRecord | null> {
  return connectionRow.queryFirst(
    'tokens-connection',
    `SELECT ${columns} FROM connection
     WHERE user_id = $1 AND client_hash = $2 AND resource = $3 AND revoked_at IS NULL`,
    [key.userId, key.clientHash, key.resource],
  );
}

const idRow = row({ id: text() });

/** Inserts a connection, or adds its scopes to the active one of the same user, client and resource. Returns the id. */
export async function saveConnection(tx: Db, connection: NewConnection): Promise<string> {
  const { id, userId, clientId, clientHash, clientKind, clientName, clientHost, resource, scopes, createdAt } =
    connection;
  const [saved] = await idRow.queryIn(
    tx,
    Prisma.sql`INSERT INTO connection AS known (id, user_id, client_id, client_hash, client_kind, client_name, client_host,
        resource, scopes, created_at)
      VALUES (${id}, ${userId}, ${clientId}, ${clientHash}, ${clientKind}, ${clientName}, ${clientHost}, ${resource},
        ${scopes}, ${createdAt})
      ON CONFLICT (user_id, client_hash, resource) WHERE revoked_at IS NULL DO UPDATE
        SET client_name = excluded.client_name,
            scopes = ARRAY(SELECT DISTINCT unnest(known.scopes || excluded.scopes) ORDER BY 1)
      RETURNING id`,
  );
  return saved?.id ?? id;
}

/** Locks an active connection against revocation until the transaction ends. Returns false if it is revoked. */
export async function lockConnection(tx: Db, id: string): Promise<boolean> {
  const count = await executeIn(
    tx,
    Prisma.sql`SELECT FROM connection WHERE id = ${id} AND revoked_at IS NULL FOR NO KEY UPDATE`,
  );
  return count === 1;
}

/**
 * The connections to revoke: one or all of a user, the least recently used ones above the maximum, or all of a client.
 */
type ConnectionFilter = { userId: string; id?: string } | { unusedOf: string } | { clientHash: string };

function conditionOf(filter: ConnectionFilter): Prisma.Sql {
  if ('clientHash' in filter) return Prisma.sql`client_hash = ${filter.clientHash}`;
  if ('unusedOf' in filter) {
    return Prisma.sql`id IN (SELECT id FROM connection WHERE user_id = ${filter.unusedOf} AND revoked_at IS NULL
      ORDER BY coalesce(last_used_at, created_at) DESC, id OFFSET ${MAX_CONNECTIONS})`;
  }
  const { userId, id } = filter;
  return id === undefined ? Prisma.sql`user_id = ${userId}` : Prisma.sql`user_id = ${userId} AND id = ${id}`;
}

/**
 * Revokes connections and all of their tokens, and notifies every node on commit. Their codes become invalid. An audit
 * entry is appended for each, with its user and id. Returns the number of connections.
 */
export async function markConnectionsRevoked(filter: ConnectionFilter, audit: AuditEntry): Promise<number> {
  return inTransaction(async (tx) => {
    const connections = await idRow.queryIn(
      tx,
      // Rows are locked in a fixed order, so that concurrent revocations do not deadlock.
      Prisma.sql`UPDATE connection SET revoked_at = ${audit.at} WHERE id IN (
          SELECT id FROM connection WHERE ${conditionOf(filter)} AND revoked_at IS NULL ORDER BY id FOR UPDATE)
        RETURNING id`,
    );
    const ids = connections.map(({ id }) => id);
    // A separate statement, because it must also read tokens that were issued while the first statement waited.
    const tokens = await idRow.queryIn(
      tx,
      Prisma.sql`UPDATE access_token SET revoked_at = ${audit.at}
        WHERE connection_id = ANY(${ids}) AND revoked_at IS NULL RETURNING id`,
    );
    await publishAtCommit(tx, 'credential', ...tokens.map(({ id }) => id));
    if (ids.length > 0) await appendAudits(tx, ids, audit);
    return connections.length;
  });
}

async function appendAudits(tx: Db, ids: string[], audit: AuditEntry): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`SELECT audit_append(${auditJson(audit)}::jsonb || jsonb_build_object('subject', user_id, 'object', id))
      FROM (SELECT id, user_id FROM connection WHERE id = ANY(${ids}) ORDER BY id) AS revoked`,
  );
}

const codeRow = row({
  connectionId: text(),
  sessionId: text(),
  redirectUri: text(),
  codeChallenge: text(),
  scopes: textArray<ConnectionScope>(),
  expiresAt: timestamptz(),
});
const issuedCodeRow = row({
  ...codeRow.columns,
  /** The tokens for which the code was exchanged. */
  tokenId: nullable(text()),
  userId: text(),
  clientId: text(),
  clientName: text(),
  resource: text(),
});

/** An authorization code with the data of its connection. */
export type IssuedCode = RowOf<typeof issuedCodeRow>;

interface NewCode extends RowOf<typeof codeRow> {
  codeHash: string;
  createdAt: Date;
}

/** Inserts an authorization code, and deletes codes whose retention has ended. */
export async function insertCode(tx: Db, code: NewCode): Promise<void> {
  const before = new Date(code.createdAt.getTime() - AUTHORIZATION_CODE_RETENTION_MS);
  const { codeHash, connectionId, sessionId, redirectUri, codeChallenge, scopes, createdAt, expiresAt } = code;
  await executeIn(tx, Prisma.sql`DELETE FROM authorization_code WHERE expires_at < ${before}`);
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO authorization_code (code_hash, connection_id, session_id, redirect_uri, code_challenge, scopes,
        created_at, expires_at)
      VALUES (${codeHash}, ${connectionId}, ${sessionId}, ${redirectUri}, ${codeChallenge}, ${scopes}, ${createdAt},
        ${expiresAt})`,
  );
}

/** Finds an authorization code that was issued, even if it has expired or was redeemed; null for any other text. */
export async function findCode(codeHash: string): Promise<IssuedCode | null> {
  return issuedCodeRow.queryFirst(
    'tokens-authorization-code',
    `SELECT connection_id AS "connectionId", session_id AS "sessionId", redirect_uri AS "redirectUri",
            code_challenge AS "codeChallenge", code.scopes, expires_at AS "expiresAt", token_id AS "tokenId",
            user_id AS "userId", client_id AS "clientId", client_name AS "clientName", resource
     FROM authorization_code code JOIN connection ON connection.id = connection_id WHERE code_hash = $1`,
    [codeHash],
  );
}

/** Redeems an authorization code for these tokens. Returns true for exactly one of several concurrent calls. */
export async function consumeCode(tx: Db, codeHash: string, tokenId: string): Promise<boolean> {
  const count = await executeIn(
    tx,
    Prisma.sql`UPDATE authorization_code SET token_id = ${tokenId} WHERE code_hash = ${codeHash} AND token_id IS NULL`,
  );
  return count === 1;
}

/**
 * Makes room for a new sign-in of a locked connection: removes ended sign-ins and, at the maximum, revokes the least
 * recently used one. Notifies every node on commit.
 */
export async function endOldSignIns(tx: Db, { connectionId, now }: { connectionId: string; now: Date }): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`WITH ended AS (
        DELETE FROM access_token
        WHERE connection_id = ${connectionId} AND (revoked_at IS NOT NULL OR expires_at <= ${now})
        RETURNING id
      ) INSERT INTO ended_sign_in (credential_id, connection_id) SELECT id, ${connectionId} FROM ended`,
  );
  const revoked = await idRow.queryIn(
    tx,
    Prisma.sql`UPDATE access_token SET revoked_at = ${now} WHERE id IN (
        SELECT id FROM access_token WHERE connection_id = ${connectionId}
        ORDER BY coalesce(last_used_at, created_at) DESC, id OFFSET ${MAX_CONNECTION_SIGN_INS - 1})
      RETURNING id`,
  );
  await publishAtCommit(tx, 'credential', ...revoked.map(({ id }) => id));
}
