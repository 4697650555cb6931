import { HISTORY_DAYS } from './policy';
import { COMPONENTS, type Component } from './schema';
import { insertCheck, pruneChecks, recordGaps } from './store';

/** How each part is looked at; a part that this Parley does not have is left out. */
export type Checks = Partial<Record<Component, () => Promise<boolean>>>;

/** Nodes look in turns: a check within this time of another is not counted. Milliseconds. */
const minCheckIntervalMs = 45_000;
/** Minutes in which no node looked at anything are told from a round that was late after this time. Milliseconds. */
const gapThresholdMs = 180_000;
const dayMs = 86_400_000;

/**
 * Looks at every part once and keeps what was found; drops what is older than the page shows. Time in which nothing could be
 * looked at or kept, because Parley or its database was away, counts as an outage of every part.
 */
export async function recordStatus(checks: Checks, now: Date): Promise<void> {
  const before = new Date(now.getTime() - minCheckIntervalMs);
  const parts = COMPONENTS.filter((component) => checks[component] !== undefined);
  await recordGaps(parts, now, gapThresholdMs);
  for (const component of parts) {
    const check = checks[component];
    if (check) await insertCheck({ component, ok: await check().catch(() => false), now, before });
  }
  await pruneChecks(new Date(now.getTime() - (HISTORY_DAYS + 1) * dayMs));
}
