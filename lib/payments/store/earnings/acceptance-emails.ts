import { row, text } from '../../../platform/db/rows';
import { execute } from '../../../platform/db/sql';
import { selectDue } from '../../../platform/runtime/activity';
import { ACCEPTANCE_REMINDERS_TOGETHER_MS, MAX_DISPUTE_EMAIL_ATTEMPTS } from '../../limits';
import type { SaleKind } from '../../record';

const emailRow = row({ saleKind: text<SaleKind>(), saleId: text(), email: text<'reminder' | 'accepted'>() });

/** A due email about the acceptance of a sale. */
export interface AcceptanceEmail {
  saleKind: SaleKind;
  saleId: string;
  email: 'reminder' | 'accepted';
}

/**
 * Claims due emails for this node, and schedules their retry, with a delay that doubles each time. A buyer's reminders
 * that are due soon are claimed together, so that one email has them all.
 */
export function claimAcceptanceEmails(now: Date, limit: number): Promise<AcceptanceEmail[]> {
  return emailRow.query(
    'claim-acceptance-emails',
    `WITH due AS (
       SELECT s.user_id, s.email FROM sale_acceptance s
       WHERE s.email_due_at <= $1 AND s.email_attempts < ${MAX_DISPUTE_EMAIL_ATTEMPTS} ORDER BY s.email_due_at LIMIT $2
     ), claimed AS (
       SELECT s.sale_kind, s.sale_id FROM sale_acceptance s
       WHERE s.email_attempts < ${MAX_DISPUTE_EMAIL_ATTEMPTS} AND s.email_due_at <= $1::timestamptz
           + CASE WHEN s.email = 'reminder' THEN $3 ELSE 0 END * interval '1 ms'
         AND (s.user_id, s.email) IN (SELECT user_id, email FROM due)
       ORDER BY s.email_due_at LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     UPDATE sale_acceptance s SET email_attempts = s.email_attempts + 1,
       email_due_at = $1::timestamptz + interval '1 minute' * power(2, s.email_attempts)
     FROM claimed c WHERE s.sale_kind = c.sale_kind AND s.sale_id = c.sale_id
     RETURNING s.sale_kind AS "saleKind", s.sale_id AS "saleId", s.email`,
    [now, limit, ACCEPTANCE_REMINDERS_TOGETHER_MS],
  );
}

/** Removes a sent email from the queue, unless another one has replaced it. */
export async function endAcceptanceEmail({ saleKind, saleId, email }: AcceptanceEmail): Promise<void> {
  await execute(
    'end-acceptance-email',
    `UPDATE sale_acceptance SET email = NULL, email_due_at = NULL, email_attempts = 0
     WHERE sale_kind = $1 AND sale_id = $2 AND email = $3`,
    [saleKind, saleId, email],
  );
}

/** Returns the time at which the next email about an acceptance is due; null for none. */
export function nextAcceptanceEmail(): Promise<Date | null> {
  return selectDue(
    'acceptance-emails-next-due',
    `SELECT min(email_due_at) AS due FROM sale_acceptance WHERE email_attempts < ${MAX_DISPUTE_EMAIL_ATTEMPTS}`,
  );
}
