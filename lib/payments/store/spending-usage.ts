import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db/db';
import { float8, nullable, row, text, timestamptz } from '../../platform/db/rows';
import type { Tx } from '../../platform/db/tx';
import { MAX_DELEGATIONS } from '../limits';
import type { SpendingPeriod, SpendingScope } from '../schema-spending';
import { isSpentSql } from './order-sql';
import type { SpendingKey } from './spending-limits';

/** The user whose orders are summed up, and the time window. */
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

/**
 * The used amount of a limit in its current window, and the start of the next window; null for limits without a window.
 */
export interface Usage extends SpendingKey {
  used: number;
  resetsAt: Date | null;
}

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
          AND ${isSpentSql} AND o.approved_at >= coalesce(k.starts, '-infinity')
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

const originRow = row({ credentialId: text(), connectionId: nullable(text()), rootTaskId: nullable(text()) });

/** The subjects to which an order is counted besides its user and agent. */
export interface Origin {
  /** The user's own credential, also when an agent acts by a delegation of it. */
  credentialId: string;
  /** The connected app of the credential. */
  connectionId: string | null;
  /** The root of the chain in which an agent was hired; null for a task of the user's own. */
  rootTaskId: string | null;
}

/** The origin of an order of this task that this credential approves; without one, the credential of the task. */
export async function findOrigin(
  tx: Tx,
  { credentialId, taskId }: { credentialId: string | null; taskId: string },
): Promise<Origin> {
  const [found] = await originRow.queryIn(
    tx,
    Prisma.sql`WITH RECURSIVE own (id, depth) AS (
        SELECT coalesce(${credentialId}, (SELECT credential_id FROM task WHERE id = ${taskId}::uuid), ''), 0
        UNION ALL
        SELECT d.parent_id, own.depth + 1 FROM own JOIN delegation d ON d.id = own.id WHERE own.depth < ${MAX_DELEGATIONS}
      ), root AS (SELECT id FROM own ORDER BY depth DESC LIMIT 1)
      SELECT root.id AS "credentialId", coalesce((SELECT connection_id FROM access_token a WHERE a.id = root.id),
          (SELECT connection_id FROM ended_sign_in e WHERE e.credential_id = root.id)) AS "connectionId",
        (SELECT root_task_id::text FROM chain_task WHERE task_id = ${taskId}::uuid) AS "rootTaskId" FROM root`,
  );
  return found ?? { credentialId: credentialId ?? '', connectionId: null, rootTaskId: null };
}
