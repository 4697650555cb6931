import { ParleyError } from '../errors';
import { DATABASE_RETRY_SECONDS } from '../limits';

/**
 * SQLSTATEs of a database that may recover: connection (08), resources (53), start or stop (57P), timeouts (57014,
 * 55P03, 25P03), I/O (58), and read-only (25006), such as a standby after a failover.
 */
const unavailableStates = /^(?:08|53|57P0[1235]|57014|55P03|25P03|58|25006)/;
/** Prisma's codes for the same errors: unreachable, timed out, closed, no connection or transaction available. */
const unavailablePrismaCodes = /^P(?:1001|1002|1008|1017|2024|2028)$/;
const unavailableSystemCodes = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)/;
const unavailableKinds = /^(?:DatabaseNotReachable|SocketTimeout|ConnectionClosed|TooManyConnections)$/;
const unavailableMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Transaction API error: Unable to start)/;

/** The SQLSTATE of a write to rows that are being moved to another database (`reject_leaving_owner`). */
const MOVED_OWNER = 'PM001';

/** Returns true if the database rejected the statement itself; nothing was written. */
export function isQueryError(error: unknown): boolean {
  if (!(error instanceof Error && 'severity' in error)) return false;
  return isOwnerMoved(error) || !isDatabaseUnavailable(error);
}

/** Returns true if the prepared statement does not exist in the session; nothing was written. */
export function isStatementMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '26000';
}

/**
 * Returns true if the database is unreachable, disconnected or read-only, or the rows are being moved to another one, so
 * that a retry may succeed.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = databaseCodeOf(error);
  if (isOwnerMoved(error)) return true;
  if (unavailableStates.test(code) || unavailableSystemCodes.test(code) || unavailablePrismaCodes.test(code))
    return true;
  return unavailableKinds.test(String(driverCauseOf(error)?.kind ?? '')) || unavailableMessages.test(error.message);
}

/** Returns true if the rows are being moved to another database; nothing was written. */
export function isOwnerMoved(error: unknown): boolean {
  return databaseCodeOf(error) === MOVED_OWNER;
}

/** Returns the error for a caller whose rows are being moved to another database. */
export function ownerMovedError(): ParleyError {
  const text = 'The data of this account is being moved right now. Try again in a moment.';
  return new ParleyError('unavailable', text, { retryAfter: DATABASE_RETRY_SECONDS });
}

/** Returns the error for a caller while the database is unavailable. */
export function databaseUnavailableError(): ParleyError {
  const text = 'The database is not available right now. Try again in a moment.';
  return new ParleyError('unavailable', text, { retryAfter: DATABASE_RETRY_SECONDS });
}

/** Returns the SQLSTATE or system code of an error, unwrapped from Prisma's driver adapter; empty if there is none. */
export function databaseCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const cause = driverCauseOf(error);
  return String(cause?.originalCode ?? cause?.code ?? ('code' in error ? error.code : ''));
}

interface DriverCause {
  kind?: unknown;
  code?: unknown;
  originalCode?: unknown;
}

/**
 * Returns the driver's error, which Prisma wraps as the cause of a `DriverAdapterError` or in the `meta` of its own
 * error.
 */
function driverCauseOf(error: Error & { meta?: unknown }): DriverCause | undefined {
  const wrapped = (error.meta as { driverAdapterError?: { cause?: unknown } } | undefined)?.driverAdapterError;
  const cause = wrapped?.cause ?? (error.name === 'DriverAdapterError' ? error.cause : undefined);
  return typeof cause === 'object' && cause !== null ? (cause as DriverCause) : undefined;
}
