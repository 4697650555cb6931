import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db/db';
import { bool, float8, int4, row, timestamptz } from '../../platform/db/rows';
import type { Frequency } from '../../protocol/ap2/frequencies';
import { endedUnpaidStates } from '../orders/order-states';
import type { OrderRecord } from '../record';

const useRow = row({ total: float8(), month: float8(), uses: int4(), usesInPeriod: int4() });

/** The use of one standing approval: orders that have not ended unpaid, less refunds. */
export interface StandingUse {
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

/** The payments that a standing approval began after a time, also those that ended unpaid. */
export async function countAutomaticPayments(tx: Db, { id, after }: { id: string; after: Date }): Promise<number> {
  const [found] = await countRow.queryIn(
    tx,
    Prisma.sql`SELECT count(*)::int AS count FROM payment_order WHERE standing_id = ${id} AND approved_at > ${after}`,
  );
  return found?.count ?? 0;
}

const usedRow = row({ isUsed: bool() });

/** True when another order that answers the same message was approved, by the user or automatically. */
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

/** The end of a day in a time zone. */
export async function endOfDay(day: string, timeZone: string): Promise<Date> {
  const [found] = await endRow.queryIn(
    db(),
    Prisma.sql`SELECT (${day}::date + 1)::timestamp AT TIME ZONE ${timeZone} AS ends`,
  );
  if (!found) throw new Error('a day has an end');
  return found.ends;
}
