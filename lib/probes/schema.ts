import type { LoggedExchange } from '../observability/schema';

/** What a probe does: ask whether the agent answers, or have one of its skills' examples done. */
export type ProbeKind = 'reach' | 'run';

/** One probe as the agent's owner sees it: `GET /api/agents/{slug}/probes`. Times are ISO 8601. */
export interface ProbeView {
  id: string;
  at: string;
  kind: ProbeKind;
  good: boolean;
  ms: number;
  /** Why it failed, and what went over the wire, secrets masked. */
  failure: { code: string; message: string; wire: LoggedExchange | null } | null;
}
