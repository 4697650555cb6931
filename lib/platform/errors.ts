/**
 * The closed set of Parley's error codes, which are stable in problem JSON. Each protocol maps them to its own codes
 * (lib/http/errors/render-error.ts, lib/protocol/a2a/dialects/encode-errors.ts).
 */
export type ErrorCode =
  | 'invalid_request'
  | 'unauthenticated'
  | 'invalid_token'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  | 'insufficient_scope'
  | 'origin_required'
  | 'forbidden'
  | 'not_found'
  | 'gone'
  | 'conflict'
  | 'sign_in_again'
  | 'passkey_required'
  | 'passkey_refused'
  | 'proof_required'
  | 'guest_limit_reached'
  | 'cart_refused'
  | 'amount_mismatch'
  | 'payment_required'
  | 'spending_limit_exceeded'
  | 'idempotency_key_missing'
  | 'idempotency_in_flight'
  | 'method_not_allowed'
  | 'misdirected_request'
  | 'unsupported_media_type'
  | 'payload_too_large'
  | 'rate_limited'
  | 'invalid_client'
  | 'invalid_target'
  | 'card_invalid'
  | 'card_unreachable'
  | 'catalog_unreadable'
  | 'agent_url_taken'
  | 'confirm_origin'
  | 'url_refused'
  | 'agent_unreachable'
  | 'agent_timeout'
  | 'agent_misbehaved'
  | 'agent_offline'
  | 'worker_lost'
  | 'chain_repeat'
  | 'chain_stopped'
  | 'approval_pending'
  | 'approval_denied'
  | 'task_not_found'
  | 'task_not_cancelable'
  | 'task_busy'
  | 'generation_mismatch'
  | 'task_terminal'
  | 'task_canceled'
  | 'task_failed'
  | 'duplicate_task'
  | 'agent_not_found'
  | 'unsupported_operation'
  | 'content_type_not_supported'
  | 'extension_support_required'
  | 'version_not_supported'
  | 'method_not_found'
  | 'parse_error'
  | 'invalid_params'
  | 'push_not_supported'
  | 'extended_card_not_configured'
  | 'extended_card_not_declared'
  | 'idempotency_mismatch'
  | 'too_many_tasks'
  | 'too_many_streams'
  | 'not_implemented'
  | 'unavailable'
  | 'internal';

/** The limit that a caller exceeded, as in the RateLimit header fields (draft-ietf-httpapi-ratelimit-headers). */
export interface ReachedLimit {
  name: string;
  quota: number;
  /** Window of the quota, seconds; absent for a limit that does not depend on time. */
  window?: number;
  unit: 'requests' | 'concurrent-requests';
}

export interface ErrorDetails {
  /** Additional members of the response, such as `faults` or `fieldViolations`. */
  data?: Record<string, unknown>;
  /** Seconds until a retry (`Retry-After`). */
  retryAfter?: number;
  limit?: ReachedLimit;
  /** Headers of the response by which a client continues, such as `payment-required`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error whose message is sent to the caller. `message` states the cause, the expected value and the next step. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  readonly data: Record<string, unknown> | undefined;
  readonly retryAfter: number | undefined;
  readonly limit: ReachedLimit | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.data = details.data;
    this.retryAfter = details.retryAfter;
    this.limit = details.limit;
    this.headers = details.headers;
  }
}

/** Returns true for a {@link ParleyError} with one of the codes. */
export function hasCode<Code extends ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is ParleyError & { code: Code } {
  return error instanceof ParleyError && (codes as ErrorCode[]).includes(error.code);
}
