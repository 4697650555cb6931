import type { Ctx } from '../platform/context';
import { shared } from '../platform/registry';
import { DAYS, daysOf, healthOf, INCIDENT_SHARE, incidentsOf, uptimeOf } from './policy';
import { COMPONENTS, type StatusView } from './schema';
import { selectBadHours, selectDays, selectLastChecks } from './store';

const dayMs = 86_400_000;
const mostIncidents = 20;
/** So long an answer is given again: parts are looked at once a minute, and many ask when something is wrong. */
const keptMs = 30_000;

interface Kept {
  at: number;
  view: Promise<StatusView>;
}

/** How Parley does and did over the last 90 days. Open to all; nothing in it says how it is built. */
export async function getStatus({ ctx }: { ctx: Pick<Ctx, 'now'> }): Promise<StatusView> {
  const answer = shared<{ last: Kept | null }>('status-answer', () => ({ last: null }));
  const at = ctx.now.getTime();
  if (answer.last && Math.abs(at - answer.last.at) < keptMs) return answer.last.view;
  const kept = { at, view: readStatus(ctx.now) };
  answer.last = kept;
  kept.view.catch(() => {
    if (answer.last === kept) answer.last = null;
  });
  return kept.view;
}

async function readStatus(now: Date): Promise<StatusView> {
  const since = new Date(now.getTime() - DAYS * dayMs);
  const [days, badHours, lastChecks] = await Promise.all([
    selectDays(since),
    selectBadHours(since, INCIDENT_SHARE),
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
    .slice(0, mostIncidents);
  const states = components.map(({ health }) => health);
  const health = states.includes('down')
    ? 'down'
    : states.includes('unknown') || states.length === 0
      ? 'unknown'
      : 'up';
  return { health, components, incidents };
}
