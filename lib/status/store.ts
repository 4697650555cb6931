import { db } from '../platform/db';
import type { Component } from './schema';

/** What a part did in one hour. */
export interface StatusHour {
  component: string;
  hour: Date;
  checks: number;
  failures: number;
  lastAt: Date;
  lastOk: boolean;
}

/** Counts one look at a part, unless a node looked since `before`: however many nodes there are, they count as one. */
export async function insertCheck(check: {
  component: Component;
  ok: boolean;
  now: Date;
  before: Date;
}): Promise<void> {
  const { component, ok, now, before } = check;
  await db().$executeRaw`
    INSERT INTO status_check AS s (component, hour, checks, failures, last_at, last_ok)
    SELECT ${component}, date_trunc('hour', ${now}::timestamptz, 'UTC'), 1, ${ok ? 0 : 1}::int, ${now}, ${ok}
    WHERE NOT EXISTS (SELECT 1 FROM status_check WHERE component = ${component} AND last_at > ${before})
    ON CONFLICT (component, hour) DO UPDATE
    SET checks = s.checks + 1, failures = s.failures + EXCLUDED.failures, last_at = EXCLUDED.last_at, last_ok = EXCLUDED.last_ok
    WHERE s.last_at <= ${before}`;
}

export async function deleteChecksBefore(hour: Date): Promise<void> {
  await db().statusCheck.deleteMany({ where: { hour: { lt: hour } } });
}

/** All hours since, oldest first. */
export function selectHours(since: Date): Promise<StatusHour[]> {
  return db().statusCheck.findMany({ where: { hour: { gte: since } }, orderBy: [{ hour: 'asc' }] });
}
