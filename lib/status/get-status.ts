import type { Ctx } from '../platform/context';
import { processSingleton } from '../platform/singleton';
import { daysOf, HISTORY_DAYS, healthOf, INCIDENT_FAILURE_RATE, incidentsOf, uptimeOf } from './policy';
import { COMPONENTS, type StatusView } from './schema';
import { selectDays, selectDegradedHours, selectLastChecks } from './store';

const dayMs = 86_400_000;
const maxIncidents = 20;
/** So long an answer is given again: parts are looked at once a minute, and many ask when something is wrong. */
const cacheTtlMs = 30_000;

interface CachedStatus {
  at: number;
  view: Promise<StatusView>;
}

/** How Parley does and did over the last 90 days. Open to all; nothing in it says how it is built. */
export async function getStatus({ ctx }: { ctx: Pick<Ctx, 'now'> }): Promise<StatusView> {
  const cache = processSingleton<{ last: CachedStatus | null }>('status-answer', () => ({ last: null }));
  const at = ctx.now.getTime();
  if (cache.last && Math.abs(at - cache.last.at) < cacheTtlMs) return cache.last.view;
  const entry = { at, view: readStatus(ctx.now) };
  cache.last = entry;
  entry.view.catch(() => {
    if (cache.last === entry) cache.last = null;
  });
  return entry.view;
}

async function readStatus(now: Date): Promise<StatusView> {
  const since = new Date(now.getTime() - HISTORY_DAYS * dayMs);
  const [days, badHours, lastChecks] = await Promise.all([
    selectDays(since),
    selectDegradedHours(since, INCIDENT_FAILURE_RATE),
    selectLastChecks(since),
  ]);
  const known = COMPONENTS.map((component) => ({
    component,
    own: days.filter((day) => day.component === component),
    bad: badHours.filter((hour) => hour.component === component),
    last: lastChecks.find((check) => check.component === component),
  }));
  const components = known
    .filter(({ own }) => own.length > 0)
    .map(({ component, own, last }) => ({
      component,
      health: healthOf(last, now),
      checkedAt: last?.lastAt.toISOString() ?? null,
      uptime: uptimeOf(own),
      days: daysOf(own, now),
    }));
  const incidents = known
    .flatMap(({ component, bad }) => incidentsOf(component, bad, now))
    .sort((one, other) => other.from.localeCompare(one.from))
    .slice(0, maxIncidents);
  const states = components.map(({ health }) => health);
  const health = states.includes('down')
    ? 'down'
    : states.includes('unknown') || states.length === 0
      ? 'unknown'
      : 'up';
  return { health, components, incidents };
}
