import { Prisma } from '../../../generated/prisma/client';
import type { Db } from '../../../platform/db/db';
import { int4, row, text } from '../../../platform/db/rows';
import { execute, executeIn } from '../../../platform/db/sql';
import { newId } from '../../../platform/ids';
import { selectDue, wakeWork } from '../../../platform/runtime/activity';
import { MAX_DISPUTE_EMAIL_ATTEMPTS } from '../../limits';
import type { DisputeEvent, DisputeParty } from '../../schema-disputes';
import type { DisputeRecord } from './dispute-rows';

/** Queues the email about an event to a party, in the transaction of the event. */
export async function queueNotice(
  tx: Db,
  { id: disputeId, userId: buyerId, sellerId }: DisputeRecord,
  { to, event, at }: { to: DisputeParty; event: DisputeEvent; at: Date },
): Promise<void> {
  const userId = to === 'buyer' ? buyerId : sellerId;
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO dispute_notice (id, dispute_id, user_id, role, event, due_at)
      VALUES (${newId('dsn')}, ${disputeId}, ${userId}, ${to}, ${event}, ${at})`,
  );
  wakeWork('disputes.emails');
}

const noticeRow = row({
  id: text(),
  disputeId: text(),
  userId: text(),
  role: text<DisputeParty>(),
  event: text<DisputeEvent>(),
  attempts: int4(),
});

/** Claims due emails for this node and schedules their retry, with a delay that doubles each time. */
export function claimNotices(
  now: Date,
  limit: number,
): Promise<{ id: string; disputeId: string; userId: string; role: DisputeParty; event: DisputeEvent }[]> {
  return noticeRow.query(
    'claim-dispute-notices',
    `UPDATE dispute_notice n SET attempts = n.attempts + 1,
       due_at = $1::timestamptz + interval '1 minute' * power(2, n.attempts)
     WHERE n.id IN (SELECT id FROM dispute_notice WHERE due_at <= $1 AND attempts < ${MAX_DISPUTE_EMAIL_ATTEMPTS}
       ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING n.id, n.dispute_id AS "disputeId", n.user_id AS "userId", n.role, n.event, n.attempts`,
    [now, limit],
  );
}

/** Deletes a sent email from the queue. */
export async function deleteNotice(id: string): Promise<void> {
  await execute('delete-dispute-notice', 'DELETE FROM dispute_notice WHERE id = $1', [id]);
}

/** Returns the time at which the next email about a dispute is due; null for none. */
export function nextDisputeNotice(): Promise<Date | null> {
  const statement = `SELECT min(due_at) AS due FROM dispute_notice WHERE attempts < ${MAX_DISPUTE_EMAIL_ATTEMPTS}`;
  return selectDue('dispute-notices-next-due', statement);
}
