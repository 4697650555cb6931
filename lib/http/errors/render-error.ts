import { type Counter, metrics } from '@opentelemetry/api';
import {
  databaseUnavailableError,
  isDatabaseUnavailable,
  isOwnerMoved,
  ownerMovedError,
} from '../../platform/db/database-errors';
import { type ErrorCode, ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { errorFields, log } from '../../platform/runtime/log';
import { once } from '../../platform/runtime/once';
import type { HttpResponse } from '../handler';
import { OUTAGE_END_MS } from '../limits';
import { challengeHeaders, retryHeaders } from './error-headers';

/** The HTTP status of every error code, for protocols that use HTTP statuses (problem JSON, OAuth, HTTP+JSON). */
const statuses: Record<ErrorCode, number> = {
  invalid_request: 400,
  unauthenticated: 401,
  invalid_token: 401,
  invalid_dpop_proof: 401,
  use_dpop_nonce: 401,
  insufficient_scope: 403,
  origin_required: 403,
  forbidden: 403,
  not_found: 404,
  gone: 410,
  conflict: 409,
  sign_in_again: 403,
  passkey_required: 403,
  passkey_refused: 403,
  proof_required: 403,
  guest_limit_reached: 429,
  cart_refused: 422,
  amount_mismatch: 409,
  payment_required: 402,
  spending_limit_exceeded: 403,
  idempotency_key_missing: 400,
  idempotency_in_flight: 409,
  method_not_allowed: 405,
  misdirected_request: 421,
  unsupported_media_type: 415,
  payload_too_large: 413,
  rate_limited: 429,
  invalid_client: 401,
  invalid_target: 404,
  card_invalid: 422,
  card_unreachable: 422,
  catalog_unreadable: 422,
  agent_url_taken: 409,
  confirm_origin: 409,
  url_refused: 422,
  agent_unreachable: 502,
  agent_timeout: 504,
  agent_misbehaved: 502,
  agent_offline: 503,
  worker_lost: 502,
  chain_repeat: 409,
  chain_stopped: 409,
  approval_pending: 503,
  approval_denied: 403,
  task_not_found: 404,
  task_not_cancelable: 409,
  task_busy: 409,
  generation_mismatch: 409,
  task_terminal: 409,
  task_canceled: 409,
  // Not 5xx, because clients retry those, and the agent would repeat its work.
  task_failed: 422,
  duplicate_task: 409,
  agent_not_found: 404,
  unsupported_operation: 400,
  content_type_not_supported: 415,
  extension_support_required: 400,
  version_not_supported: 400,
  method_not_found: 404,
  parse_error: 400,
  invalid_params: 400,
  push_not_supported: 400,
  extended_card_not_configured: 400,
  extended_card_not_declared: 400,
  idempotency_mismatch: 422,
  too_many_tasks: 429,
  too_many_streams: 429,
  not_implemented: 501,
  unavailable: 503,
  internal: 500,
};

/** Returns the HTTP status of an error code. */
export function statusOf(code: ErrorCode): number {
  return statuses[code];
}

/**
 * Returns the error that callers may see. Unknown errors are logged and become `internal` with the request id. Failures
 * of an unavailable database are counted instead of logged.
 */
export function toVisibleError(error: unknown, requestId: string): ParleyError {
  if (error instanceof ParleyError) return error;
  if (isOwnerMoved(error)) return ownerMovedError();
  if (isDatabaseUnavailable(error)) {
    recordDatabaseFailure(error, requestId);
    return databaseUnavailableError();
  }
  log.error('request.failed', { requestId, ...errorFields(error) });
  return new ParleyError(
    'internal',
    `Something went wrong on our side. Include the request ID ${requestId} when you report this.`,
  );
}

/**
 * Returns problem JSON (RFC 9457) with a stable `code`, for all endpoints under `/api`. `resource` is the called URL if
 * it accepts bearer tokens.
 */
export function problemOf(error: unknown, requestId: string, resource?: string): HttpResponse<string> {
  const visible = toVisibleError(error, requestId);
  const status = statuses[visible.code];
  const type = `${env().APP_URL}/docs/errors#${visible.code}`;
  const body = { type, title: visible.message, status, code: visible.code, requestId, ...visible.data };
  const headers = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-request-id': requestId,
    ...retryHeaders(visible),
    ...challengeHeaders(visible, status, resource),
    ...(status === 413 && { connection: 'close' }),
  };
  return { status, headers, body: JSON.stringify(body) };
}

interface Outage {
  /** Number of requests that failed since the outage started; 0 without an outage. */
  failures: number;
  beganAt: number;
  end: NodeJS.Timeout | undefined;
  counter: Counter;
}

const outage = once((): Outage => {
  const description = 'Requests that failed because the database was unavailable';
  const counter = metrics.getMeter('parley').createCounter('db.unavailable.requests', { description });
  return { failures: 0, beganAt: 0, end: undefined, counter };
});

/**
 * Counts a request that failed because the database is unavailable. Logs a line for the first one, and a line with
 * their number when none has failed for {@link OUTAGE_END_MS}.
 */
function recordDatabaseFailure(error: unknown, requestId: string): void {
  const state = outage();
  state.counter.add(1);
  state.failures += 1;
  if (state.end) {
    state.end.refresh();
    return;
  }
  state.beganAt = performance.now();
  log.error('database.unavailable', { requestId, ...errorFields(error) });
  state.end = setTimeout(() => {
    const seconds = Math.round((performance.now() - state.beganAt - OUTAGE_END_MS) / 1_000);
    log.warn('database.failures_ended', { requests: state.failures, seconds });
    Object.assign(state, { failures: 0, end: undefined });
  }, OUTAGE_END_MS).unref();
}
