/** Why a service did not answer. */
export type ServiceFailure = 'timeout' | 'unreachable' | 'redirected' | 'too_large';

/**
 * The error if the service returned no usable HTTP response. The message contains neither the address nor any part of
 * the request.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    readonly reason: ServiceFailure,
    message: string,
    /** True if no part of the request can have arrived. */
    readonly isUnsent = false,
  ) {
    super(message);
  }
}

export interface ServiceRequest {
  url: string;
  /** Sent as a bearer token. */
  key: string | undefined;
  body: object;
  /** Timeout of the whole response, milliseconds. */
  timeoutMs: number;
  maxBytes: number;
}

export interface ServiceResponse {
  status: number;
  /** Seconds or a date, as sent. */
  retryAfter: string | null;
  text: string;
}

/**
 * Posts JSON to a URL that the operator configured. Unlike `fetchExternal`, it does not check the address, which may be
 * private. Does not follow redirects, which would send the key elsewhere. Resolves for every other status.
 * @throws {ServiceError}
 */
export async function postToService(request: ServiceRequest): Promise<ServiceResponse> {
  const signal = AbortSignal.timeout(request.timeoutMs);
  try {
    const response = await fetch(request.url, {
      method: 'POST',
      headers: headersOf(request),
      body: JSON.stringify(request.body),
      redirect: 'manual',
      cache: 'no-store',
      signal,
    });
    const { status, headers } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      throw new ServiceError('redirected', `It redirected with status ${status}; redirects are not followed.`);
    }
    return { status, retryAfter: headers.get('retry-after'), text: await readText(response, request.maxBytes) };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (signal.aborted)
      throw new ServiceError('timeout', `There was no complete response within ${request.timeoutMs} ms.`);
    const code = systemCodeOf(error);
    throw new ServiceError('unreachable', `It could not be reached (${code}).`, neverConnected.has(code));
  }
}

/** The codes of errors of which no connection was made. */
const neverConnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function headersOf({ key }: ServiceRequest): Record<string, string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'Parley' };
  return key === undefined ? headers : { ...headers, authorization: `Bearer ${key}` };
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new ServiceError('too_large', `The response is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns only the code, because messages may contain the address or a header. */
function systemCodeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no system code';
}
