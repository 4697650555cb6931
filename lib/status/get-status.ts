import type { Ctx } from '../platform/context';
import { DAYS, daysOf, healthOf, incidentsOf, uptimeOf } from './policy';
import { COMPONENTS, type StatusView } from './schema';
import { type StatusHour, selectHours } from './store';

const dayMs = 86_400_000;
const mostIncidents = 20;

/** How Parley does and did over the last 90 days. Open to all; nothing in it says how it is built. */
export async function getStatus({ ctx }: { ctx: Pick<Ctx, 'now'> }): Promise<StatusView> {
  const { now } = ctx;
  const hours = await selectHours(new Date(now.getTime() - DAYS * dayMs));
  const known = COMPONENTS.map((component) => ({
    component,
    own: hours.filter((hour) => hour.component === component),
  }));
  const components = known
    .filter(({ own }) => own.length > 0)
    .map(({ component, own }) => ({
      component,
      health: healthOf(own, now),
      checkedAt: last(own)?.lastAt.toISOString() ?? null,
      uptime: uptimeOf(own),
      days: daysOf(own, now),
    }));
  const incidents = known
    .flatMap(({ component, own }) => incidentsOf(component, own, now))
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

function last(hours: StatusHour[]): StatusHour | undefined {
  return hours.at(-1);
}
