import type { LoggedExchange } from '../observability/schema';

/** `reach` checks that the agent responds; `run` sends the example of a skill. */
export type ProbeKind = 'reach' | 'run';

/** An item of `GET /api/agents/{slug}/probes`. Times are ISO 8601. */
export interface ProbeView {
  id: string;
  at: string;
  kind: ProbeKind;
  good: boolean;
  ms: number;
  /** Why it failed, and the HTTP exchange with secrets redacted. */
  failure: { code: string; message: string; wire: LoggedExchange | null } | null;
}
