import { shared } from './registry';
import { query } from './sql';

export interface ReadinessCheck {
  name: string;
  check: () => Promise<boolean>;
}

function registered(): Map<string, ReadinessCheck> {
  return shared('readiness', () => new Map());
}

/** Adds a check to `/readyz`, such as the demo agents'; a second one of the same name replaces the first. */
export function addReadinessCheck(check: ReadinessCheck): void {
  registered().set(check.name, check);
}

/** Everything that must hold before traffic may come. */
export function readinessChecks(): ReadinessCheck[] {
  const database = { name: 'database', check: async () => (await query('ready', 'SELECT 1 AS one')).length === 1 };
  return [database, ...registered().values()];
}
