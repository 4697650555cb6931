import { Prisma } from '../../generated/prisma/client';
import { type AuditEntry, auditJson } from '../../observability';
import type { Db } from '../../platform/db/db';
import { bool, nullable, type RowOf, row, text, textArray, timestamptz } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import type { AccessScope } from '../../platform/scopes';
import { DEVICE_CODE_RETENTION_MS } from '../limits';

const requestRow = row({
  clientId: text(),
  scopes: textArray<AccessScope>(),
  address: text(),
  userAgent: text(),
  createdAt: timestamptz(),
  expiresAt: timestamptz(),
});

/** A pending device sign-in, for the user who decides. */
export type DeviceRequest = RowOf<typeof requestRow>;

export interface NewDeviceRequest extends DeviceRequest {
  codeHash: string;
  userCodeHash: string;
  intervalSeconds: number;
}

const polledRow = row({
  scopes: textArray<AccessScope>(),
  address: text(),
  expiresAt: timestamptz(),
  userId: nullable(text()),
  /** The session in which the user decided; null before the decision. */
  sessionId: nullable(text()),
  decision: nullable(text<'allowed' | 'denied' | 'redeemed'>()),
  /** True if it was polled before the interval had passed, in which case the interval is increased by five seconds. */
  tooSoon: bool(),
});

/** The state of a sign-in, as returned to a polling device. */
export type PolledDevice = RowOf<typeof polledRow>;

/** Inserts a device sign-in request, and deletes requests whose retention has ended. */
export async function insertDeviceRequest(request: NewDeviceRequest): Promise<void> {
  const before = new Date(request.createdAt.getTime() - DEVICE_CODE_RETENTION_MS);
  await execute('tokens-drop-device-codes', 'DELETE FROM device_code WHERE expires_at < $1', [before]);
  await execute(
    'tokens-insert-device-code',
    `INSERT INTO device_code (code_hash, user_code_hash, client_id, scopes, address, user_agent, created_at, expires_at,
       interval_seconds)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      request.codeHash,
      request.userCodeHash,
      request.clientId,
      request.scopes,
      request.address,
      request.userAgent,
      request.createdAt,
      request.expiresAt,
      request.intervalSeconds,
    ],
  );
}

/** Finds the undecided device sign-in request with this user code; null if there is none. */
export async function findDeviceRequest(userCodeHash: string, now: Date): Promise<DeviceRequest | null> {
  return requestRow.queryFirst(
    'tokens-device-request',
    `SELECT client_id AS "clientId", scopes, address, user_agent AS "userAgent", created_at AS "createdAt",
            expires_at AS "expiresAt"
     FROM device_code WHERE user_code_hash = $1 AND decision IS NULL AND expires_at > $2`,
    [userCodeHash, now],
  );
}

/** Stores the user's decision, once. Returns true if a request was pending. */
export async function recordDecision(
  {
    userCodeHash,
    userId,
    sessionId,
    decision,
    now,
  }: { userCodeHash: string; userId: string; sessionId: string; decision: 'allowed' | 'denied'; now: Date },
  audit: AuditEntry,
): Promise<boolean> {
  const count = await execute(
    'tokens-decide-device-request',
    `WITH decided AS (
       UPDATE device_code SET decision = $2, user_id = $3, session_id = $6
       WHERE user_code_hash = $1 AND decision IS NULL AND expires_at > $4 RETURNING code_hash)
     SELECT audit_append($5::jsonb) FROM decided`,
    [userCodeHash, decision, userId, now, auditJson(audit), sessionId],
  );
  return count === 1;
}

/**
 * Records a poll and enforces the interval (with a second of tolerance for network latency); null for an unknown code
 * or one of another client.
 */
export async function pollDevice({
  codeHash,
  clientId,
  now,
}: {
  codeHash: string;
  clientId: string;
  now: Date;
}): Promise<PolledDevice | null> {
  return polledRow.queryFirst(
    'tokens-poll-device',
    `WITH asked AS (
       SELECT code_hash, decision IS NULL AND expires_at > $3 AND
              coalesce(polled_at > $3::timestamptz - make_interval(secs => interval_seconds - 1), false) AS too_soon
       FROM device_code WHERE code_hash = $1 AND client_id = $2 FOR UPDATE)
     UPDATE device_code d
     SET polled_at = $3, interval_seconds = interval_seconds + CASE WHEN too_soon THEN 5 ELSE 0 END
     FROM asked WHERE d.code_hash = asked.code_hash
     RETURNING scopes, address, expires_at AS "expiresAt", user_id AS "userId", session_id AS "sessionId", decision, too_soon AS "tooSoon"`,
    [codeHash, clientId, now],
  );
}

/** Denies an allowed device, because the session that allowed it has ended. */
export async function denyDevice(codeHash: string): Promise<void> {
  await execute(
    'tokens-deny-device',
    `UPDATE device_code SET decision = 'denied' WHERE code_hash = $1 AND decision = 'allowed'`,
    [codeHash],
  );
}

/** Redeems an allowed device code. Returns true for exactly one of several concurrent calls. */
export async function consumeDeviceCode(tx: Db, codeHash: string): Promise<boolean> {
  const count = await executeIn(
    tx,
    Prisma.sql`UPDATE device_code SET decision = 'redeemed' WHERE code_hash = ${codeHash} AND decision = 'allowed'`,
  );
  return count === 1;
}
