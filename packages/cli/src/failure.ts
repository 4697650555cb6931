import { ParleyError } from '@parley/agent';
import { EXIT } from './exit-codes.js';

/** An error that the user can resolve: states the actual value, the expected value and the remedy. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    readonly exitCode: number,
    message: string,
    /** Remedy for the error. */
    readonly hint?: string,
  ) {
    super(message);
  }
}

const exitCodes: Record<string, number> = {
  unauthenticated: EXIT.signedOut,
  invalid_token: EXIT.signedOut,
  insufficient_scope: EXIT.signedOut,
  invalid_grant: EXIT.signedOut,
  invalid_target: EXIT.notFound,
  not_found: EXIT.notFound,
  gone: EXIT.notFound,
  task_not_found: EXIT.notFound,
  agent_not_found: EXIT.notFound,
  unreachable: EXIT.unavailable,
  unavailable: EXIT.unavailable,
  rate_limited: EXIT.unavailable,
  cart_refused: EXIT.notPaid,
  amount_mismatch: EXIT.notPaid,
  payment_required: EXIT.notPaid,
  spending_limit_exceeded: EXIT.notPaid,
  passkey_required: EXIT.inputRequired,
  sign_in_again: EXIT.inputRequired,
};

/** Returns the exit code for an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Failure) return error.exitCode;
  return error instanceof ParleyError ? (exitCodes[error.code] ?? EXIT.failed) : EXIT.failed;
}

/** Returns the remedy for an error; null if there is none. */
export function hintOf(error: unknown): string | null {
  if (error instanceof Failure) return error.hint ?? null;
  if (!(error instanceof ParleyError)) return null;
  if (error.code === 'unreachable') return 'Is it running? To use another Parley, set --api-url or PARLEY_API_URL.';
  if (error.code === 'invalid_target') return 'Find agents with: parley search';
  if (error.code === 'rate_limited' && error.retryAfter) return `Try again in ${error.retryAfter} s.`;
  if (exitCodeOf(error) === EXIT.signedOut) return 'Sign in with: parley auth login';
  return error.requestId ? `Request id: ${error.requestId}` : null;
}
