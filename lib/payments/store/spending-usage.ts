import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db/db';
import { bool, float8, int4, nullable, row, text, timestamptz } from '../../platform/db/rows';
import { type Tx, withRowsOf } from '../../platform/db/tx';
import type { Frequency } from '../../protocol/ap2/frequencies';
import { MAX_DELEGATIONS } from '../limits';
import type { OrderRecord } from '../record';
import type { SpendingPeriod, SpendingScope } from '../schema-spending';
import { endedUnpaidStates } from '../schema-states';
import type { SpendingKey } from './limits-and-alerts';
import { isSpentSql } from './orders';

/** The user whose orders are added up, and the time window. */
interface SpendingWindow {
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
 * Returns the use of each key: approved orders that have not ended unpaid, minus refunds, and approvals of price plans,
 * with their total until they end and then with what was spent. Both count in the day
 * and month of the approval in the time zone; because of daylight saving time, a day has 23 to 25 hours.
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
      ), 0)::float8 + coalesce((
        SELECT sum(CASE WHEN a.ended_at IS NULL AND a.expires_at > ${now} THEN a.total ELSE a.held + a.spent END) FROM price_approval a
        WHERE k.period <> 'order' AND a.user_id = ${userId} AND a.currency = ${currency} AND a.test = ${test}
          AND a.created_at >= coalesce(k.starts, '-infinity')
          AND CASE k.scope WHEN 'account' THEN true WHEN 'agent' THEN a.agent_id = k.subject
            WHEN 'token' THEN a.credential_id = k.subject WHEN 'connection' THEN a.connection_id = k.subject ELSE false END
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

const taskOriginRow = row({ credentialId: nullable(text()), rootTaskId: nullable(text()) });
const rootRow = row({ credentialId: text(), connectionId: nullable(text()) });

/** The subjects to which an order counts in addition to its user and agent. */
export interface Origin {
  /** The user's own credential, even if an agent acts with a delegation of it. */
  credentialId: string;
  /** The connected app of the credential. */
  connectionId: string | null;
  /** The root of the chain in which an agent was hired; null for one of the user's own tasks. */
  rootTaskId: string | null;
}

/** Finds the origin of an order of this task that this credential approves, by default the credential of the task. */
export async function findOrigin(
  tx: Tx,
  { credentialId, userId, taskId }: { credentialId: string | null; userId: string; taskId: string | null },
): Promise<Origin> {
  const statement = Prisma.sql`SELECT
    (SELECT credential_id FROM task WHERE id = ${taskId}::uuid AND principal = ${userId}) AS "credentialId",
    (SELECT root_task_id::text FROM chain_task WHERE principal = ${userId} AND task_id = ${taskId}::uuid) AS "rootTaskId"`;
  const [task] = await withRowsOf(tx, userId, (own) => taskOriginRow.queryIn(own, statement));
  const approving = credentialId ?? task?.credentialId ?? '';
  const [root] = await rootRow.queryIn(
    tx,
    Prisma.sql`WITH RECURSIVE own (id, depth) AS (
        SELECT ${approving}, 0
        UNION ALL
        SELECT d.parent_id, own.depth + 1 FROM own JOIN delegation d ON d.id = own.id WHERE own.depth < ${MAX_DELEGATIONS}
      ), root AS (SELECT id FROM own ORDER BY depth DESC LIMIT 1)
      SELECT root.id AS "credentialId", coalesce((SELECT connection_id FROM access_token a WHERE a.id = root.id),
          (SELECT connection_id FROM ended_sign_in e WHERE e.credential_id = root.id)) AS "connectionId" FROM root`,
  );
  const rootTaskId = task?.rootTaskId ?? null;
  return root ? { ...root, rootTaskId } : { credentialId: approving, connectionId: null, rootTaskId };
}

const useRow = row({ total: float8(), month: float8(), uses: int4(), usesInPeriod: int4() });

/** The use of one standing approval: orders that have not ended unpaid, minus refunds. */
interface StandingUse {
  total: number;
  /** The amount in the current calendar month. */
  month: number;
  uses: number;
  /** The uses in the current period of its frequency. */
  usesInPeriod: number;
}

function startOfPeriod(frequency: Frequency, local: Prisma.Sql): Prisma.Sql {
  const starts: Record<Frequency, Prisma.Sql> = {
    ON_DEMAND: Prisma.sql`'infinity'::timestamp`,
    DAILY: Prisma.sql`date_trunc('day', ${local})`,
    WEEKLY: Prisma.sql`date_trunc('week', ${local})`,
    // Counted from the latest payment, because two-week periods have no calendar boundaries.
    BIWEEKLY: Prisma.sql`${local} - interval '14 days'`,
    MONTHLY: Prisma.sql`date_trunc('month', ${local})`,
    QUARTERLY: Prisma.sql`date_trunc('quarter', ${local})`,
    ANNUALLY: Prisma.sql`date_trunc('year', ${local})`,
  };
  return starts[frequency];
}

export async function findStandingUse(
  { id, frequency }: { id: string; frequency: Frequency },
  { timeZone, now }: { timeZone: string; now: Date },
  tx: Db = db(),
): Promise<StandingUse> {
  const local = Prisma.sql`(${now}::timestamptz AT TIME ZONE ${timeZone})`;
  const since = (start: Prisma.Sql): Prisma.Sql => Prisma.sql`o.approved_at >= (${start}) AT TIME ZONE ${timeZone}`;
  const [found] = await useRow.queryIn(
    tx,
    Prisma.sql`SELECT coalesce(sum(o.amount - o.refunded), 0)::float8 AS total,
        coalesce(sum(o.amount - o.refunded) FILTER (WHERE ${since(Prisma.sql`date_trunc('month', ${local})`)}), 0)::float8 AS month,
        count(*)::int AS uses,
        (count(*) FILTER (WHERE ${since(startOfPeriod(frequency, local))}))::int AS "usesInPeriod"
      FROM payment_order o WHERE o.standing_id = ${id} AND o.state <> ALL(${endedUnpaidStates})`,
  );
  return found ?? { total: 0, month: 0, uses: 0, usesInPeriod: 0 };
}

const countRow = row({ count: int4() });

/** Counts the payments that a standing approval started after a time, including those that ended unpaid. */
export async function countAutomaticPayments(tx: Db, { id, after }: { id: string; after: Date }): Promise<number> {
  const [found] = await countRow.queryIn(
    tx,
    Prisma.sql`SELECT count(*)::int AS count FROM payment_order WHERE standing_id = ${id} AND approved_at > ${after}`,
  );
  return found?.count ?? 0;
}

const usedRow = row({ isUsed: bool() });

/** Returns true if another order that answers the same message was approved, by the user or automatically. */
export async function isMessageUsed(
  tx: Db,
  { id, userId, answeredMessage }: Pick<OrderRecord, 'id' | 'userId' | 'answeredMessage'>,
): Promise<boolean> {
  const [found] = await usedRow.queryIn(
    tx,
    Prisma.sql`SELECT EXISTS (SELECT FROM payment_order WHERE user_id = ${userId} AND answered_message = ${answeredMessage}
      AND approved_at IS NOT NULL AND id <> ${id}) AS "isUsed"`,
  );
  return found?.isUsed === true;
}

const endRow = row({ ends: timestamptz() });

/** Returns the end of a day in a time zone. */
export async function endOfDay(day: string, timeZone: string): Promise<Date> {
  const [found] = await endRow.queryIn(
    db(),
    Prisma.sql`SELECT (${day}::date + 1)::timestamp AT TIME ZONE ${timeZone} AS ends`,
  );
  if (!found) throw new Error('a day has an end');
  return found.ends;
}
