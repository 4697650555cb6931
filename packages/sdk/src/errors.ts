/**
 * An error with a stable code: one of Parley's own (`invalid_token`, `agent_not_found`, `rate_limited` and so on),
 * `unreachable` (no response) or `invalid_answer` (not a response of Parley).
 */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Seconds until a retry may succeed; null if unknown. */
  readonly retryAfter: number | null;
  /** Id of the request, for reports of a problem to the operators of that Parley. */
  readonly requestId: string | null;
  /** Members of the response other than code and message. */
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
