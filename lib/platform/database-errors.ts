/**
 * SQLSTATEs that mean that the statement failed for the database's own state and may succeed later: connection failures (08), out of
 * disk, memory or connections (53), starting or stopping (57P), a deadline (57014, 55P03, 25P03), an I/O error (58), and a server that is
 * read-only (25006), such as a standby after a failover.
 */
const unavailableStates = /^(?:08|53|57P0[1235]|57014|55P03|25P03|58|25006)/;
/** Prisma's codes for the same: unreachable, timed out, closed, no connection to be had, no transaction to be had. */
const unavailablePrismaCodes = /^P(?:1001|1002|1008|1017|2024|2028)$/;
const unavailableSystemCodes = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)/;
const unavailableKinds = /^(?:DatabaseNotReachable|SocketTimeout|ConnectionClosed|TooManyConnections)$/;
const unavailableMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Transaction API error: Unable to start)/;

/** True for what the database itself said of a statement: it looked at it, and nothing of it was written. */
export function isQueryError(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && !isDatabaseUnavailable(error);
}

/** True when the database does not have the prepared statement that was to be carried out; nothing was written. */
export function isStatementMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '26000';
}

/** True when the database could not be reached, went away or cannot write now, so that trying again later makes sense. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = databaseCodeOf(error);
  if (unavailableStates.test(code) || unavailableSystemCodes.test(code) || unavailablePrismaCodes.test(code))
    return true;
  return unavailableKinds.test(String(driverCauseOf(error)?.kind ?? '')) || unavailableMessages.test(error.message);
}

/** The SQLSTATE or system code of an error, also where Prisma's driver adapter wraps it; empty when it has none. */
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

/** Prisma passes on what the driver said as the cause of a `DriverAdapterError`, or as `meta` of an error of its own. */
function driverCauseOf(error: Error & { meta?: unknown }): DriverCause | undefined {
  const wrapped = (error.meta as { driverAdapterError?: { cause?: unknown } } | undefined)?.driverAdapterError;
  const cause = wrapped?.cause ?? (error.name === 'DriverAdapterError' ? error.cause : undefined);
  return typeof cause === 'object' && cause !== null ? (cause as DriverCause) : undefined;
}
