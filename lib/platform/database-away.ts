/** SQLSTATEs that mean that the server is starting, stopping or full: the statement was not looked at (or may not have been). */
const awayStates = /^(?:08|53300|57P0[123])/;

/** True for what the database itself said of a statement: it looked at it, and nothing of it was written. */
export function wasRefused(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && !isDatabaseAway(error);
}

/** True when the database does not have the prepared statement that was to be carried out; nothing was written. */
export function isUnprepared(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '26000';
}

/** True when the database could not be reached or went away, so that trying again later makes sense. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (
    awayStates.test(code) ||
    /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)/.test(code)
  )
    return true;
  return /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Transaction API error: Unable to start)/.test(
    error.message,
  );
}
