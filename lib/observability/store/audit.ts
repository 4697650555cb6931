import type { Db } from '../../platform/db';
import { query } from '../../platform/sql';
import type { AuditEntry } from '../audit-events';
import type { AuditEvent } from '../schema';

/** An entry as it stands in the log, with where it was made from while that is kept. */
export interface AuditRecord {
  seq: number;
  at: Date;
  event: AuditEvent;
  actor: string;
  object: string;
  detail: string;
  requestId: string;
  address: string | null;
  userAgent: string | null;
}

/** The entry as the parameter of `audit_append($n::jsonb)`, for statements that append it themselves. */
export function auditJson(entry: AuditEntry): string {
  return JSON.stringify(entry);
}

/** Appends an entry within a transaction; last, since all nodes wait for each other from here to the commit. */
export async function appendAudit(tx: Db, entry: AuditEntry): Promise<void> {
  await tx.$queryRaw`SELECT audit_append(${auditJson(entry)}::jsonb)`;
}

/** Appends an entry that tells of no change in the database. */
export async function recordAudit(entry: AuditEntry): Promise<void> {
  await query('audit-append', 'SELECT audit_append($1::jsonb)', [auditJson(entry)]);
}

/** The entries that concern a person, newest first: those before `before`. */
export async function listAudit(
  subject: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<AuditRecord[]> {
  return query<AuditRecord>(
    'audit-of',
    `SELECT e.seq, e.at, e.event, e.actor, e.object, e.detail, e.request_id AS "requestId", p.address,
            p.user_agent AS "userAgent"
     FROM audit_entry e LEFT JOIN audit_place p ON p.seq = e.seq
     WHERE e.subject = $1 AND ($2::bigint IS NULL OR e.seq < $2) ORDER BY e.seq DESC LIMIT $3`,
    [subject, before, limit],
  );
}

/** Forgets from where a person did what the log tells of; the log itself stays as it is. */
export async function deleteAuditClients(tx: Db, subject: string): Promise<void> {
  await tx.auditPlace.deleteMany({ where: { subject } });
}
