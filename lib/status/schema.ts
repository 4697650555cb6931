/** The parts of Parley that people can depend on. */
export const COMPONENTS = ['web', 'gateway', 'database', 'events', 'mail', 'payments', 'probes'] as const;
export type Component = (typeof COMPONENTS)[number];

/** How a part does: `unknown` when it was not looked at lately. */
export type Health = 'up' | 'down' | 'unknown';

/** One day of a part; `uptime` from 0 to 1, null for a day without checks. */
export interface StatusDay {
  day: string;
  uptime: number | null;
}

export interface ComponentStatus {
  component: Component;
  health: Health;
  /** When it was last looked at, ISO 8601; null before the first time. */
  checkedAt: string | null;
  /** Over the days that are known, from 0 to 1. */
  uptime: number | null;
  days: StatusDay[];
}

/** Hours in a row in which checks of a part failed. */
export interface Incident {
  component: Component;
  from: string;
  /** The end of the last such hour; null while it goes on. */
  to: string | null;
  /** Failed checks of all checks in that time, from 0 to 1. */
  failed: number;
}

/** Answer of `GET /api/status`. */
export interface StatusView {
  health: Health;
  components: ComponentStatus[];
  incidents: Incident[];
}
