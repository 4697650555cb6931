import { DAY_MS } from '../platform/time';
import { GAP_THRESHOLD_MS, HISTORY_DAYS, MIN_CHECK_INTERVAL_MS } from './limits';
import { COMPONENTS, type Component } from './schema';
import { insertCheck, pruneChecks, recordGaps } from './store';

/** The health check of each component; a component that is not configured is absent. */
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
