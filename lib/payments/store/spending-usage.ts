import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db';
import { float8, nullable, row, text, timestamptz } from '../../platform/rows';
import type { Tx } from '../../platform/tx';
import type { SpendingPeriod, SpendingScope } from '../schema-spending';
import type { SpendingKey } from './spending-limits';

/** Whose orders are summed up, in which window. */
export interface SpendingWindow {
  userId: string;
  currency: string;
  test: boolean;
  timeZone: string;
  now: Date;
}

const usageRow = row({
  scope: text(),
  subject: text(),
  period: text(),
  used: float8(),
  resetsAt: nullable(timestamptz()),
});

/** What was used of a limit in its current window, and when the next window begins; null for those without one. */
export interface Usage extends SpendingKey {
  used: number;
  resetsAt: Date | null;
}

export const unpaidStates = ['superseded', 'declined', 'expired', 'canceled', 'merchant_rejected', 'delivery_timeout'];

/**
 * The use of each key: approved orders that have not ended unpaid, less refunds. An order counts in the day and month of
 * its approval, which daylight saving makes 23 to 25 hours and 28 to 31 days long.
 */
export async function findUsage(
  { userId, currency, test, timeZone, now }: SpendingWindow,
  keys: SpendingKey[],
  tx: Db = db(),
): Promise<Usage[]> {
  if (keys.length === 0) return [];
  const column = (name: keyof SpendingKey): Prisma.Sql => Prisma.sql`${keys.map((key) => key[name])}::text[]`;
  const local = Prisma.sql`(${now}::timestamptz AT TIME ZONE ${timeZone})`;
  const rows = await usageRow.queryIn(
    tx,
    Prisma.sql`WITH bounds AS (
        SELECT unit, date_trunc(unit, ${local}) AT TIME ZONE ${timeZone} AS starts,
          (date_trunc(unit, ${local}) + ('1 ' || unit)::interval) AT TIME ZONE ${timeZone} AS ends
        FROM unnest(ARRAY['day', 'month']) AS unit
      ), key AS (
        SELECT k.scope, k.subject, k.period, k.at, w.starts, w.ends
        FROM unnest(${column('scope')}, ${column('subject')}, ${column('period')}) WITH ORDINALITY AS k(scope, subject, period, at)
        LEFT JOIN bounds w ON w.unit = k.period
      )
      SELECT k.scope, k.subject, k.period, k.ends AS "resetsAt", coalesce((
        SELECT sum(o.amount - o.refunded) FROM payment_order o
        WHERE k.period <> 'order' AND o.user_id = ${userId} AND o.currency = ${currency} AND o.test = ${test}
          AND o.approved_at >= coalesce(k.starts, '-infinity') AND o.state <> ALL(${unpaidStates})
          AND CASE k.scope WHEN 'account' THEN true WHEN 'agent' THEN o.agent_id = k.subject
            WHEN 'token' THEN o.credential_id = k.subject WHEN 'connection' THEN o.connection_id = k.subject
            ELSE o.root_task_id = k.subject::uuid END
      ), 0)::float8 AS used
      FROM key k ORDER BY k.at`,
  );
  return rows.map(({ scope, subject, period, ...rest }) => ({
    scope: scope as SpendingScope,
    subject,
    period: period as SpendingPeriod,
    ...rest,
  }));
}

const credentialRow = row({ credentialId: text() });

/** The credential that sent the latest message of a task; empty when the task is gone. */
export async function findTaskCredential(tx: Tx, taskId: string): Promise<string> {
  const [found] = await credentialRow.queryIn(
    tx,
    Prisma.sql`SELECT credential_id AS "credentialId" FROM task WHERE id = ${taskId}::uuid`,
  );
  return found?.credentialId ?? '';
}

/** What an order is counted for besides its user and agent. */
export interface Origin {
  credentialId: string;
  /** The connected app of the credential. */
  connectionId: string | null;
  /** The root of the chain in which an agent was hired; null for a task of the user's own. */
  rootTaskId: string | null;
}

const originRow = row({ connectionId: nullable(text()), rootTaskId: nullable(text()) });

export async function findOrigin(
  tx: Tx,
  { credentialId, taskId }: { credentialId: string; taskId: string },
): Promise<Origin> {
  const [found] = await originRow.queryIn(
    tx,
    Prisma.sql`SELECT (SELECT connection_id FROM access_token WHERE id = ${credentialId}) AS "connectionId",
      (SELECT root_task_id::text FROM chain_task WHERE task_id = ${taskId}::uuid) AS "rootTaskId"`,
  );
  return { credentialId, connectionId: found?.connectionId ?? null, rootTaskId: found?.rootTaskId ?? null };
}
