/**
 * What went wrong, with a code that stays the same: one of Parley's own (`invalid_token`, `agent_not_found`,
 * `rate_limited` and so on), or `unreachable` (no answer came) or `invalid_answer` (what came is no answer of Parley).
 */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  /** HTTP status of the answer; null when none came. */
  readonly status: number | null;
  /** Seconds after which it may work; null when nothing was said. */
  readonly retryAfter: number | null;
  /** Quote it when you ask the people who run that Parley. */
  readonly requestId: string | null;
  /** What the answer says beside its code and message. */
  readonly details: Record<string, unknown>;

  constructor(
    readonly code: string,
    message: string,
    more: {
      status?: number | null;
      retryAfter?: number | null;
      requestId?: string | null;
      details?: Record<string, unknown>;
      cause?: unknown;
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.status = more.status ?? null;
    this.retryAfter = more.retryAfter ?? null;
    this.requestId = more.requestId ?? null;
    this.details = more.details ?? {};
  }
}
