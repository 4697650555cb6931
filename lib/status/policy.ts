import type { Health, Incident, StatusDay } from './schema';
import type { CheckCounts, DailyChecks, HourlyChecks, LastCheck } from './store';

/** Days that are kept and shown. */
export const HISTORY_DAYS = 90;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A part that was not looked at for so long is not known to be up. */
const staleMs = 5 * 60_000;
/** Fewer failures than this share of an hour's checks are a hiccup, not an incident. */
export const INCIDENT_FAILURE_RATE = 0.1;

export function healthOf(last: LastCheck | undefined, now: Date): Health {
  if (!last || now.getTime() - last.lastAt.getTime() > staleMs) return 'unknown';
  return last.lastOk ? 'up' : 'down';
}

/** Share of checks that were answered; null without any. */
export function uptimeOf(all: CheckCounts[]): number | null {
  const checks = all.reduce((sum, one) => sum + one.checks, 0);
  const failures = all.reduce((sum, one) => sum + one.failures, 0);
  return checks === 0 ? null : (checks - failures) / checks;
}

/** The last days in UTC, oldest first, today at the end. */
export function daysOf(known: DailyChecks[], now: Date): StatusDay[] {
  return Array.from({ length: HISTORY_DAYS }, (_, at) => {
    const day = new Date(now.getTime() - (HISTORY_DAYS - 1 - at) * dayMs).toISOString().slice(0, 10);
    return { day, uptime: uptimeOf(known.filter((one) => one.day === day)) };
  });
}

/** Hours in a row in which a part failed too often, newest first. */
export function incidentsOf(component: Incident['component'], bad: HourlyChecks[], now: Date): Incident[] {
  const runs: HourlyChecks[][] = [];
  for (const hour of bad) {
    const run = runs.at(-1);
    const previous = run?.at(-1);
    if (run && previous && hour.hour.getTime() - previous.hour.getTime() <= hourMs) run.push(hour);
    else runs.push([hour]);
  }
  return runs.reverse().map((run) => {
    const first = run[0];
    const last = run.at(-1);
    const end = new Date((last?.hour.getTime() ?? 0) + hourMs);
    const isOngoing = end > now && last?.lastOk === false;
    return {
      component,
      from: first?.hour.toISOString() ?? '',
      to: isOngoing ? null : end.toISOString(),
      failed: 1 - (uptimeOf(run) ?? 1),
    };
  });
}
