import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { int8, nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import type { AuditEntry } from '../audit-events';
import type { AuditEvent } from '../schema';

const auditRow = row({
  seq: int8(),
  at: timestamptz(),
  event: text<AuditEvent>(),
  actor: text(),
  object: text(),
  detail: text(),
  requestId: text(),
  address: nullable(text()),
  userAgent: nullable(text()),
});

/** A stored entry, with the client's address and user agent unless these were deleted. */
export type AuditRecord = RowOf<typeof auditRow>;

/** Returns the parameter of `audit_append($n::jsonb)`, for statements that call it themselves. */
export function auditJson(entry: AuditEntry): string {
  return JSON.stringify(entry);
}

/** Appends an entry in a transaction. Must be called last, because it locks the log for all nodes until the commit. */
export async function appendAudit(tx: Db, entry: AuditEntry): Promise<void> {
  await executeIn(tx, Prisma.sql`SELECT audit_append(${auditJson(entry)}::jsonb)`);
}

/** Appends an entry outside a transaction. */
export async function recordAudit(entry: AuditEntry): Promise<void> {
  await execute('audit-append', 'SELECT audit_append($1::jsonb)', [auditJson(entry)]);
}

/** Lists a page of a user's entries, newest first, before the sequence number `before`. */
export async function listAudit(
  subject: string,
  { before, objects = null, limit }: { before: number | null; objects?: string[] | null; limit: number },
): Promise<AuditRecord[]> {
  return auditRow.query(
    'audit-of',
    `SELECT e.seq, e.at, e.event, e.actor, e.object, e.detail, e.request_id AS "requestId", p.address,
            p.user_agent AS "userAgent"
     FROM audit_entry e LEFT JOIN audit_client p ON p.seq = e.seq
     WHERE e.subject = $1 AND ($2::bigint IS NULL OR e.seq < $2)
       AND ($4::text[] IS NULL OR split_part(e.event, '.', 1) = ANY($4)) ORDER BY e.seq DESC LIMIT $3`,
    [subject, before, limit, objects],
  );
}

/** Deletes a user's client addresses and user agents. Does not affect the hash chain. */
export async function deleteAuditClients(tx: Db, subject: string): Promise<void> {
  await executeIn(tx, Prisma.sql`DELETE FROM audit_client WHERE subject = ${subject}`);
}
