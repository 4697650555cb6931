import { Prisma } from '../../../generated/prisma/client';
import type { Db } from '../../../platform/db/db';
import { int4, int8, nullable, type RowOf, row, text, timestamptz } from '../../../platform/db/rows';
import { execute, executeIn } from '../../../platform/db/sql';
import { publishAtCommit } from '../../../platform/db/tx';
import { selectDue } from '../../../platform/runtime/activity';

/** The subject of a job: a payout, or a seller account that is retrieved from Stripe. */
export type JobSubject = { payoutId: string } | { sellerAccountId: string };

const jobRow = row({
  id: int8(),
  payoutId: nullable(text()),
  sellerAccountId: nullable(text()),
  attempts: int4(),
  dueAt: timestamptz(),
});

/** A job that this node has claimed. `attempts` and `dueAt`, the end of the lease, identify the claim. */
export type PayoutJob = RowOf<typeof jobRow>;

/** Claims due jobs until `leaseUntil`, before which no other node claims them unless they are made due again. */
export function claimPayoutJobs(now: Date, leaseUntil: Date, limit: number): Promise<PayoutJob[]> {
  return jobRow.query(
    'payouts-claim-jobs',
    `UPDATE payout_job SET due_at = $2, attempts = attempts + 1
     WHERE id IN (SELECT id FROM payout_job WHERE due_at <= $1 ORDER BY due_at, id LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING id, payout_id AS "payoutId", seller_account_id AS "sellerAccountId", attempts, due_at AS "dueAt"`,
    [now, leaseUntil, limit],
  );
}

/** Deletes a claimed job, unless it was made due again since. */
export async function completePayoutJob({ id, attempts, dueAt }: PayoutJob): Promise<void> {
  await execute('payouts-complete-job', 'DELETE FROM payout_job WHERE id = $1 AND attempts = $2 AND due_at = $3', [
    id,
    attempts,
    dueAt,
  ]);
}

/** Releases a claimed job, which is due again at `at`, unless it was made due earlier since. */
export async function reschedulePayoutJob({ id, attempts, dueAt }: PayoutJob, at: Date): Promise<void> {
  await execute(
    'payouts-reschedule-job',
    'UPDATE payout_job SET due_at = $4 WHERE id = $1 AND attempts = $2 AND due_at = $3',
    [id, attempts, dueAt, at],
  );
}

/** Returns the time at which the next job is due; null if there is none. */
export function nextPayoutJobDueAt(): Promise<Date | null> {
  return selectDue('payouts-next-due', 'SELECT min(due_at) AS due FROM payout_job');
}

/** Sets the time of a payout's next step, in the transaction that moves it; null deletes its job. */
export async function setPayoutJob(tx: Db, payoutId: string, dueAt: Date | null): Promise<void> {
  if (dueAt === null) {
    await executeIn(tx, Prisma.sql`DELETE FROM payout_job WHERE payout_id = ${payoutId}`);
    return;
  }
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO payout_job (payout_id, due_at) VALUES (${payoutId}, ${dueAt})
      ON CONFLICT (payout_id) DO UPDATE SET due_at = excluded.due_at, attempts = 0`,
  );
}

/**
 * Makes the job of a payout or a seller account due at `at`, or earlier. A payout that was paid is checked too, because a
 * bank may return its money. A payout that can still be canceled starts no earlier. The commit notifies every node.
 */
export async function enqueuePayoutJob(tx: Db, subject: JobSubject, at: Date): Promise<void> {
  if ('payoutId' in subject) {
    await executeIn(
      tx,
      Prisma.sql`INSERT INTO payout_job (payout_id, due_at) VALUES (${subject.payoutId}, ${at})
        ON CONFLICT (payout_id) DO UPDATE SET due_at = least(payout_job.due_at, excluded.due_at)
          WHERE EXISTS (SELECT FROM payout p WHERE p.id = payout_job.payout_id AND p.state <> 'created')`,
    );
    await publishAtCommit(tx, 'payout', subject.payoutId);
    return;
  }
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO payout_job (seller_account_id, due_at) VALUES (${subject.sellerAccountId}, ${at})
      ON CONFLICT (seller_account_id) DO UPDATE SET due_at = least(payout_job.due_at, excluded.due_at)`,
  );
  await publishAtCommit(tx, 'payout', subject.sellerAccountId);
}

const idRow = row({ id: text() });

/** Finds the subject of a Stripe event: by the payout in its metadata, or by the connected account that it concerns. */
export async function findJobSubject({
  payoutId,
  accountId,
}: {
  payoutId: string | null;
  accountId: string | null;
}): Promise<JobSubject | null> {
  if (payoutId !== null) {
    const payout = await idRow.queryFirst('payouts-find-subject', 'SELECT id FROM payout WHERE id = $1', [payoutId]);
    return payout && { payoutId: payout.id };
  }
  if (accountId === null) return null;
  const statement = 'SELECT id FROM seller_account WHERE account_id = $1';
  const account = await idRow.queryFirst('payouts-find-account', statement, [accountId]);
  return account && { sellerAccountId: account.id };
}
