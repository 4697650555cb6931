import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { bool, int8, json, nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import type { JsonValue } from '../../protocol/json';
import type { TextValue } from '../../texts/sent-texts';
import type { ChangeKind } from '../change-announcements';

/** The content of a change: the kind of change, whose text describes it, and the values in that text. */
export interface ChangeDetail {
  of: Extract<
    ChangeKind,
    | 'recovery.request'
    | 'token.create'
    | 'payment.threshold'
    | 'spending.limit'
    | 'spending.time-zone'
    | 'standing.create'
  >;
  values: Record<string, TextValue>;
}

/** A change, as its domain describes it. */
export interface NewChange {
  userId: string;
  kind: ChangeKind;
  /** The subject of the change, such as `passkeys` or one limit. Changes of the same subject are undone in order. */
  subject: string;
  /** Describes the change, for the email and the page that undoes it; null if the kind is sufficient. */
  facts: ChangeDetail | null;
  /**
   * The state before the change; null for a change that only its user may reverse, because an email must not weaken a
   * guard.
   */
  before: JsonValue;
}

/** Inserts a change that no email has announced yet. `detail` describes it in English. */
export async function insertChange(
  tx: Db,
  change: NewChange & { id: string; detail: string; createdAt: Date },
): Promise<void> {
  const { id, userId, kind, subject, detail, facts, before, createdAt } = change;
  const state = before === null ? null : JSON.stringify(before);
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO guarded_change (id, user_id, kind, subject, detail, facts, before, created_at)
      VALUES (${id}, ${userId}, ${kind}, ${subject}, ${detail}, ${facts && JSON.stringify(facts)}::jsonb,
        ${state}::jsonb, ${createdAt})`,
  );
}

const unsentRow = row({
  id: text(),
  kind: text<ChangeKind>(),
  detail: text(),
  facts: nullable(json<ChangeDetail>()),
  createdAt: timestamptz(),
  email: text(),
  locale: nullable(text()),
  isEmailVerified: bool(),
  isUndoable: bool(),
});
/** A change whose email is being sent. */
export type UnsentChange = RowOf<typeof unsentRow>;

/**
 * Claims the oldest change whose email has not been sent and that no node has claimed after `before`, and sets the hash
 * of its link; null if there is none.
 */
export function claimUnsent(claim: { undoHash: string; now: Date; before: Date }): Promise<UnsentChange | null> {
  return unsentRow.queryFirst(
    'guards-claim-unsent',
    `UPDATE guarded_change c SET claimed_at = $2, undo_hash = $1 FROM "user" u
     WHERE u.id = c.user_id AND c.id = (
       SELECT id FROM guarded_change WHERE emailed_at IS NULL AND (claimed_at IS NULL OR claimed_at < $3)
       ORDER BY seq LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING c.id, kind, detail, facts, c.created_at AS "createdAt", u.email, u.locale,
       u.email_verified IS NOT NULL AS "isEmailVerified", before IS NOT NULL AS "isUndoable"`,
    [claim.undoHash, claim.now, claim.before],
  );
}

export async function markEmailed(id: string, now: Date): Promise<void> {
  await execute('guards-mark-emailed', 'UPDATE guarded_change SET emailed_at = $2 WHERE id = $1', [id, now]);
}

export async function deleteOldChanges(before: Date): Promise<void> {
  await execute('guards-delete-old', 'DELETE FROM guarded_change WHERE created_at < $1', [before]);
}

const openRow = row({
  id: text(),
  seq: int8(),
  userId: text(),
  kind: text<ChangeKind>(),
  subject: text(),
  detail: text(),
  facts: nullable(json<ChangeDetail>()),
  before: json<JsonValue>(),
  createdAt: timestamptz(),
  email: nullable(text()),
});
/** A change that can be undone. */
export type OpenChange = RowOf<typeof openRow>;

/** Selects the change of a link; null if the change is unknown, undone or older than `after`. */
export function selectOpenChange(undoHash: string, after: Date): Promise<OpenChange | null> {
  return openRow.queryFirst(
    'guards-open-change',
    `SELECT c.id, seq, user_id AS "userId", kind, subject, detail, facts, before, c.created_at AS "createdAt",
       (SELECT email FROM "user" WHERE id = user_id) AS email
     FROM guarded_change c
     WHERE undo_hash = $1 AND undone_at IS NULL AND before IS NOT NULL AND c.created_at > $2`,
    [undoHash, after],
  );
}

/** Invalidates the links of all changes of a subject, because the changes were reversed or completed in another way. */
export async function closeChanges(
  tx: Db,
  { userId, subject }: { userId: string; subject: string },
  now: Date,
): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`UPDATE guarded_change SET undone_at = ${now}
      WHERE user_id = ${userId} AND subject = ${subject} AND undone_at IS NULL`,
  );
}

/**
 * Marks a change and all later ones of its subject as undone, because the state before it is restored. Returns false if
 * it is already undone.
 */
export async function consumeChange(tx: Db, { id, userId, subject, seq }: OpenChange, now: Date): Promise<boolean> {
  const count = await executeIn(
    tx,
    Prisma.sql`UPDATE guarded_change SET undone_at = ${now} WHERE id = ${id} AND undone_at IS NULL`,
  );
  await executeIn(
    tx,
    Prisma.sql`UPDATE guarded_change SET undone_at = ${now}
      WHERE user_id = ${userId} AND subject = ${subject} AND seq > ${seq} AND undone_at IS NULL`,
  );
  return count === 1;
}

const listedRow = row({
  kind: text<ChangeKind>(),
  detail: text(),
  createdAt: timestamptz(),
  undoneAt: nullable(timestamptz()),
});

/**
 * Selects the recorded changes of a user, oldest first, without the states before them, which contain a password's
 * hash.
 */
export function selectChanges(userId: string): Promise<RowOf<typeof listedRow>[]> {
  return listedRow.query(
    'guards-changes',
    `SELECT kind, detail, created_at AS "createdAt", undone_at AS "undoneAt" FROM guarded_change
     WHERE user_id = $1 ORDER BY seq`,
    [userId],
  );
}
