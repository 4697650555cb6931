/** The components on the status page. */
export const COMPONENTS = ['web', 'gateway', 'database', 'events', 'mail', 'payments', 'probes'] as const;
export type Component = (typeof COMPONENTS)[number];

/** The health of a component; `unknown` without a recent check. */
export type Health = 'up' | 'down' | 'unknown';

/** One day of a component. `uptime` is from 0 to 1; null for a day without checks. */
export interface StatusDay {
  day: string;
  uptime: number | null;
}

export interface ComponentStatus {
  component: Component;
  health: Health;
  /** Time of the last check, ISO 8601; null before the first. */
  checkedAt: string | null;
  /** The uptime over the whole history, from 0 to 1. */
  uptime: number | null;
  days: StatusDay[];
}

/** A period of consecutive hours in which checks of a component failed. */
export interface Incident {
  component: Component;
  from: string;
  /** The end of the last such hour; null while ongoing. */
  to: string | null;
  /** Share of failed checks, from 0 to 1. */
  failed: number;
}

/** Response of `GET /api/status`. */
export interface StatusView {
  health: Health;
  components: ComponentStatus[];
  incidents: Incident[];
}
