/** Reasons why a connection did not return a complete response. */
export type ConnectionFailure =
  | 'refused'
  | 'name-not-found'
  | 'name-lookup-failed'
  | 'no-route'
  | 'connect-timeout'
  | 'certificate'
  | 'tls'
  | 'not-http'
  | 'closed';

const failuresByCode: Record<string, ConnectionFailure> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'name-not-found',
  ENODATA: 'name-not-found',
  EAI_NODATA: 'name-not-found',
  EAI_NONAME: 'name-not-found',
  EAI_AGAIN: 'name-lookup-failed',
  EAI_FAIL: 'name-lookup-failed',
  EHOSTUNREACH: 'no-route',
  ENETUNREACH: 'no-route',
  EHOSTDOWN: 'no-route',
  EADDRNOTAVAIL: 'no-route',
  ETIMEDOUT: 'connect-timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate',
  HOSTNAME_MISMATCH: 'certificate',
  EPROTO: 'tls',
};

/**
 * Returns why an outgoing request failed on the network, from the codes of the error and its causes; null if unknown.
 */
export function connectionFailureOf(error: unknown): ConnectionFailure | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    // HTTPParserError has no code for some malformed responses.
    if (at.name === 'HTTPParserError') return 'not-http';
    const code = codeOf(at);
    const failure = code === undefined ? null : failureOfCode(code);
    if (failure) return failure;
  }
  return null;
}

/**
 * Returns true if this node or its machine has no file descriptors left, so that the callee did not cause the error.
 */
export function isOutOfDescriptors(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    const code = codeOf(at);
    if (code === 'EMFILE' || code === 'ENFILE') return true;
  }
  return false;
}

function failureOfCode(code: string): ConnectionFailure | null {
  if (code.startsWith('CERT_') || code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'certificate';
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'tls';
  if (code.startsWith('HPE_')) return 'not-http';
  return failuresByCode[code] ?? null;
}

/** Returns the error's code. If several addresses of a name were tried, the first code among their errors. */
function codeOf(error: Error): string | undefined {
  const own = (error as NodeJS.ErrnoException).code;
  if (typeof own === 'string') return own;
  const all: unknown[] = error instanceof AggregateError ? error.errors : [];
  return all.map((inner) => (inner as NodeJS.ErrnoException | null)?.code).find((code) => typeof code === 'string');
}
