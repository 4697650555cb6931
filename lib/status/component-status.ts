import type { Ctx } from '../platform/context';
import { DAY_MS, HOUR_MS } from '../platform/time';
import {
  GAP_THRESHOLD_MS,
  HISTORY_DAYS,
  INCIDENT_FAILURE_RATE,
  MAX_INCIDENTS,
  MIN_CHECK_INTERVAL_MS,
  STALE_CHECK_MS,
  STATUS_CACHE_TTL_MS,
} from './limits';
import { COMPONENTS, type Component, type Health, type Incident, type StatusDay, type StatusView } from './schema';
import {
  type CheckCounts,
  type DailyChecks,
  type HourlyChecks,
  insertCheck,
  type LastCheck,
  pruneChecks,
  recordGaps,
  selectDays,
  selectDegradedHours,
  selectLastChecks,
} from './store';

interface CachedStatus {
  at: number;
  view: Promise<StatusView>;
}

let last: CachedStatus | null = null;

/** Returns Parley's current health and its history. Public. Contains no internal data. */
export async function getStatus({ ctx }: { ctx: Pick<Ctx, 'now'> }): Promise<StatusView> {
  const at = ctx.now.getTime();
  if (last && Math.abs(at - last.at) < STATUS_CACHE_TTL_MS) return last.view;
  const entry = { at, view: readStatus(ctx.now) };
  last = entry;
  entry.view.catch(() => {
    if (last === entry) last = null;
  });
  return entry.view;
}

async function readStatus(now: Date): Promise<StatusView> {
  const since = new Date(now.getTime() - HISTORY_DAYS * DAY_MS);
  const [days, degradedHours, lastChecks] = await Promise.all([
    selectDays(since),
    selectDegradedHours(since, INCIDENT_FAILURE_RATE),
    selectLastChecks(since),
  ]);
  const byComponent = COMPONENTS.map((component) => ({
    component,
    days: days.filter((day) => day.component === component),
    degraded: degradedHours.filter((hour) => hour.component === component),
    last: lastChecks.find((check) => check.component === component),
  }));
  const components = byComponent
    .filter((checks) => checks.days.length > 0)
    .map(({ component, days: componentDays, last }) => ({
      component,
      health: healthOf(last, now),
      checkedAt: last?.lastAt.toISOString() ?? null,
      uptime: uptimeOf(componentDays),
      days: daysOf(componentDays, now),
    }));
  const incidents = byComponent
    .flatMap(({ component, degraded }) => incidentsOf(component, degraded, now))
    .sort((a, b) => b.from.localeCompare(a.from))
    .slice(0, MAX_INCIDENTS);
  return { health: overallHealth(components.map(({ health }) => health)), components, incidents };
}

function overallHealth(states: Health[]): Health {
  if (states.includes('down')) return 'down';
  return states.includes('unknown') || states.length === 0 ? 'unknown' : 'up';
}

function healthOf(last: LastCheck | undefined, now: Date): Health {
  if (!last || now.getTime() - last.lastAt.getTime() > STALE_CHECK_MS) return 'unknown';
  return last.lastOk ? 'up' : 'down';
}

/** Returns the share of successful checks; null if there were no checks. */
function uptimeOf(all: CheckCounts[]): number | null {
  const checks = all.reduce((sum, counts) => sum + counts.checks, 0);
  const failures = all.reduce((sum, counts) => sum + counts.failures, 0);
  return checks === 0 ? null : (checks - failures) / checks;
}

/** Returns the days of the history in UTC, oldest first, ending today. */
function daysOf(checkedDays: DailyChecks[], now: Date): StatusDay[] {
  return Array.from({ length: HISTORY_DAYS }, (_, at) => {
    const day = new Date(now.getTime() - (HISTORY_DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10);
    return { day, uptime: uptimeOf(checkedDays.filter((checks) => checks.day === day)) };
  });
}

/** Runs of consecutive degraded hours, newest first. */
function incidentsOf(component: Incident['component'], degraded: HourlyChecks[], now: Date): Incident[] {
  const runs: HourlyChecks[][] = [];
  for (const hour of degraded) {
    const run = runs.at(-1);
    const previous = run?.at(-1);
    if (run && previous && hour.hour.getTime() - previous.hour.getTime() <= HOUR_MS) run.push(hour);
    else runs.push([hour]);
  }
  return runs.reverse().map((run) => {
    const first = run[0];
    const last = run.at(-1);
    const end = new Date((last?.hour.getTime() ?? 0) + HOUR_MS);
    const isOngoing = end > now && last?.lastOk === false;
    return {
      component,
      from: first?.hour.toISOString() ?? '',
      to: isOngoing ? null : end.toISOString(),
      failed: 1 - (uptimeOf(run) ?? 1),
    };
  });
}

/** The health check of each component. A component that is not configured is absent. */
export type Checks = Partial<Record<Component, () => Promise<boolean>>>;

/**
 * Checks every component once, stores the results and prunes the history. A gap without stored checks, because Parley
 * or its database was down, counts as an outage of every component.
 */
export async function recordStatus(checks: Checks, now: Date): Promise<void> {
  const before = new Date(now.getTime() - MIN_CHECK_INTERVAL_MS);
  const components = COMPONENTS.filter((component) => checks[component] !== undefined);
  await recordGaps(components, now, GAP_THRESHOLD_MS);
  for (const component of components) {
    const check = checks[component];
    if (check) await insertCheck({ component, ok: await check().catch(() => false), now, before });
  }
  await pruneChecks(new Date(now.getTime() - (HISTORY_DAYS + 1) * DAY_MS));
}
