import { DAYS } from './policy';
import { COMPONENTS, type Component } from './schema';
import { deleteChecksBefore, insertCheck } from './store';

/** How each part is looked at; a part that this Parley does not have is left out. */
export type Checks = Partial<Record<Component, () => Promise<boolean>>>;

/** Nodes look in turns: a check within this time of another is not counted. Milliseconds. */
const apartMs = 45_000;
const dayMs = 86_400_000;

/** Looks at every part once and keeps what was found; drops what is older than the page shows. */
export async function recordStatus(checks: Checks, now: Date): Promise<void> {
  const before = new Date(now.getTime() - apartMs);
  for (const component of COMPONENTS) {
    const check = checks[component];
    if (check) await insertCheck({ component, ok: await check().catch(() => false), now, before });
  }
  await deleteChecksBefore(new Date(now.getTime() - (DAYS + 1) * dayMs));
}
