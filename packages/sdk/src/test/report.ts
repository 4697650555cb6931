/** What a check found to be wrong, and what to do about it. */
export interface Finding {
  /** The value or behavior that was found, shortened. */
  found: string;
  expected: string;
  remedy: string;
  /** The request or the example in which it was found. */
  where?: string;
}

/** The result of one check. */
export interface CheckResult {
  /** Subject and name, such as `messages.states`. */
  id: string;
  title: string;
  /** What goes wrong for callers if the check fails. */
  why: string;
  outcome: 'passed' | 'failed' | 'skipped';
  /** At most {@link MAX_FINDINGS}; empty unless the check failed. */
  findings: Finding[];
  /** Why the check was skipped; null otherwise. */
  reason: string | null;
  /** Path of the documentation at every Parley. */
  docs: string;
}

/** The results of all checks of an agent. */
export interface Report {
  /** URL of the agent, as given. */
  url: string;
  /** Null if the agent has no card. */
  agent: { name: string; version: string } | null;
  /** True if no check failed. */
  ok: boolean;
  passed: number;
  failed: number;
  skipped: number;
  /** ISO 8601. */
  startedAt: string;
  /** Milliseconds. */
  durationMs: number;
  results: CheckResult[];
}

/** Maximum findings of one check. */
export const MAX_FINDINGS = 5;
const MAX_FOUND_LENGTH = 200;

/** Returns third-party data as a short text on one line. */
export function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > MAX_FOUND_LENGTH ? `${line.slice(0, MAX_FOUND_LENGTH)}…` : line;
}

/** Returns the report of these results. */
export function reportOf(
  results: CheckResult[],
  { url, card, startedAt, now }: { url: string; card: Record<string, unknown> | null; startedAt: number; now: number },
): Report {
  const count = (outcome: CheckResult['outcome']): number =>
    results.filter((result) => result.outcome === outcome).length;
  const failed = count('failed');
  return {
    url,
    agent: card && { name: shorten(card.name ?? ''), version: shorten(card.version ?? '') },
    ok: failed === 0,
    passed: count('passed'),
    failed,
    skipped: count('skipped'),
    startedAt: new Date(startedAt).toISOString(),
    durationMs: now - startedAt,
    results,
  };
}
