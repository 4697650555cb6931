import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { nullable, type RowOf, row, text } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import { selectDue } from '../../platform/runtime/activity';
import { MAX_DECISION_EMAIL_ATTEMPTS } from '../limits';
import type { CaseState, ReportReason, TargetKind } from '../schema';

/** The reason why a user is notified of a decision. */
export type RecipientRole = 'owner' | 'reporter' | 'user';

const notificationRow = row({
  caseId: text(),
  userId: text(),
  state: text<CaseState>(),
  role: text<RecipientRole>(),
  kind: text<TargetKind>(),
  agentId: nullable(text()),
  reason: nullable(text<ReportReason>()),
});

/** A queued e-mail about a decision. */
export type DecisionNotification = RowOf<typeof notificationRow>;

/** Queues e-mails about a decision. Of several entries for a user, the first counts. */
export async function queueNotifications(
  tx: Db,
  { caseId, state, now }: { caseId: string; state: CaseState; now: Date },
  recipients: { userId: string; role: RecipientRole }[],
): Promise<void> {
  const [userIds, roles] = [recipients.map(({ userId }) => userId), recipients.map(({ role }) => role)];
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO moderation_notification (case_id, user_id, state, role, due_at)
      SELECT ${caseId}, user_id, ${state}, role, ${now}::timestamptz
      FROM unnest(${userIds}::text[], ${roles}::text[]) AS recipient(user_id, role) ON CONFLICT DO NOTHING`,
  );
}

const reporterRow = row({ reporterId: text() });

/** Ids of the users who reported in a case while signed in. */
export async function selectReporters(tx: Db, caseId: string): Promise<string[]> {
  const rows = await reporterRow.queryIn(
    tx,
    Prisma.sql`SELECT DISTINCT reporter_id AS "reporterId" FROM moderation_report
      WHERE case_id = ${caseId} AND reporter_id IS NOT NULL`,
  );
  return rows.map(({ reporterId }) => reporterId);
}

/** Claims due e-mails for this node and schedules their retry, with a delay that doubles each time. */
export function claimNotifications(now: Date, limit: number): Promise<DecisionNotification[]> {
  return notificationRow.query(
    'claim-notifications',
    `UPDATE moderation_notification n SET attempts = n.attempts + 1,
       due_at = $1::timestamptz + interval '1 minute' * power(2, n.attempts)
     FROM moderation_case c WHERE c.id = n.case_id AND (n.case_id, n.user_id, n.state) IN (
       SELECT case_id, user_id, state FROM moderation_notification
       WHERE due_at <= $1 AND attempts < ${MAX_DECISION_EMAIL_ATTEMPTS} ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING n.case_id AS "caseId", n.user_id AS "userId", n.state, n.role, c.kind, c.agent_id AS "agentId", c.reason`,
    [now, limit],
  );
}

/** The time at which the first queued e-mail is due; null if there is none to send. */
export function nextDecisionEmail(): Promise<Date | null> {
  const statement = `SELECT min(due_at) AS due FROM moderation_notification WHERE attempts < ${MAX_DECISION_EMAIL_ATTEMPTS}`;
  return selectDue('next-decision-email', statement);
}

/** Deletes a sent e-mail from the queue. */
export async function deleteNotification({ caseId, userId, state }: DecisionNotification): Promise<void> {
  await execute(
    'delete-notification',
    'DELETE FROM moderation_notification WHERE case_id = $1 AND user_id = $2 AND state = $3',
    [caseId, userId, state],
  );
}
