import type { Db } from '../../platform/db';
import { query } from '../../platform/sql';
import type { CaseState, ReportReason, TargetKind } from '../schema';

/** Why somebody hears of a decision. */
export type RecipientRole = 'owner' | 'reporter' | 'user';

/** One mail that is to go out, and what it tells of. */
export interface DecisionNotification {
  caseId: string;
  userId: string;
  state: CaseState;
  role: RecipientRole;
  kind: TargetKind;
  agentId: string | null;
  reason: ReportReason | null;
}

/** Has a decision told to people; the first role in which somebody is named counts. */
export async function queueNotifications(
  tx: Db,
  { caseId, state, now }: { caseId: string; state: CaseState; now: Date },
  people: { userId: string; role: RecipientRole }[],
): Promise<void> {
  const data = people.map((person) => ({ ...person, caseId, state, dueAt: now }));
  await tx.moderationNotice.createMany({ data, skipDuplicates: true });
}

/** Who reported in a case while signed in. */
export async function selectReporters(tx: Db, caseId: string): Promise<string[]> {
  const rows = await tx.moderationReport.findMany({
    where: { caseId, reporterId: { not: null } },
    distinct: ['reporterId'],
    select: { reporterId: true },
  });
  return rows.flatMap(({ reporterId }) => reporterId ?? []);
}

const maxAttempts = 10;

/** Takes up to `limit` mails that are due and moves each on, twice as long each time: no other node takes them meanwhile. */
export function claimNotifications(now: Date, limit: number): Promise<DecisionNotification[]> {
  return query(
    'claim-notices',
    `UPDATE moderation_notice n SET attempts = n.attempts + 1,
       due_at = $1::timestamptz + interval '1 minute' * power(2, n.attempts)
     FROM moderation_case c WHERE c.id = n.case_id AND (n.case_id, n.user_id, n.state) IN (
       SELECT case_id, user_id, state FROM moderation_notice
       WHERE due_at <= $1 AND attempts < ${maxAttempts} ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING n.case_id AS "caseId", n.user_id AS "userId", n.state, n.role, c.kind, c.agent_id AS "agentId", c.reason`,
    [now, limit],
  );
}

/** The mail has gone. */
export async function deleteNotification({ caseId, userId, state }: DecisionNotification): Promise<void> {
  await query('drop-notice', 'DELETE FROM moderation_notice WHERE case_id = $1 AND user_id = $2 AND state = $3', [
    caseId,
    userId,
    state,
  ]);
}
