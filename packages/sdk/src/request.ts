import { ParleyError } from './errors.js';

/** The subset of `fetch` used here; can be replaced for a proxy, a timeout or a test. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const TIMEOUT_MS = 10_000;
const MAX_ERROR_LENGTH = 65_536;

/** Returns the origin of a Parley from user input: no path, no trailing slash. @throws {TypeError} */
export function originOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const isOrigin = parsed && /^https?:$/.test(parsed.protocol) && parsed.origin === url.replace(/\/$/, '');
  if (!isOrigin) throw new TypeError(`"${url}" is not an origin; expected one such as https://parley.example`);
  return parsed.origin;
}

/** Returns an agent's URL at Parley, which is also the audience of its tokens. */
export function agentUrlOf(origin: string, agent: string): string {
  return `${origin}/agents/${encodeURIComponent(agent)}`;
}

/**
 * Returns the credentials of `client_secret_basic`: both are form-encoded before they are joined (RFC 6749, section
 * 2.3.1).
 */
export function basicCredentials(clientId: string, clientSecret: string): string {
  return `Basic ${btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`)}`;
}

function formEncode(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length);
}

/**
 * Calls a JSON or OAuth endpoint of Parley. Returns the JSON object; an empty one for a response without a body. Times
 * out after `timeoutMs`, ten seconds by default.
 * @throws {ParleyError} with the response's code, `unreachable` or `invalid_answer`
 */
export async function requestJson(
  fetch: Fetch,
  url: string,
  { timeoutMs = TIMEOUT_MS, ...init }: RequestInit & { timeoutMs?: number },
): Promise<Record<string, unknown>> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  const response = await reach(fetch, url, { ...init, signal });
  if (!response.ok) throw await readError(response);
  return readObject(response);
}

/**
 * Returns the response regardless of its status. Redirects are not followed: they would send credentials to another
 * server.
 * @throws {ParleyError} `unreachable`; the caller's own abort is rethrown
 */
export async function reach(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'manual' });
  } catch (error) {
    if (init.signal?.aborted && !isTimeout(init.signal.reason)) throw init.signal.reason;
    throw unreachable(url, error);
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

export function unreachable(url: string, cause: unknown): ParleyError {
  return new ParleyError('unreachable', `${new URL(url).origin} does not respond: ${reasonOf(cause)}`, { cause });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // Node's fetch reports "fetch failed" and the reason in `cause`, without a message if several addresses were tried.
  if (cause instanceof Error) return cause.message || String('code' in cause ? cause.code : cause.name);
  return error.message;
}

/** Returns the JSON object of a response. @throws {ParleyError} `invalid_answer` */
export async function readObject(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text().catch(() => 'broken');
  const body = text === '' ? {} : parse(text);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body };
  throw new ParleyError('invalid_answer', `${describe(response)} is not a JSON object; is this the URL of a Parley?`, {
    status: response.status,
  });
}

/** Reads the error of a non-2xx response: problem JSON (RFC 9457), OAuth (RFC 6749) or JSON-RPC. */
export async function readError(response: Response): Promise<ParleyError> {
  const text = (await response.text().catch(() => '')).slice(0, MAX_ERROR_LENGTH);
  const { code, message, details } = readReason(text);
  return new ParleyError(code ?? 'invalid_answer', message ?? `${describe(response)} contains no error message`, {
    status: response.status,
    retryAfter: readRetryAfter(response),
    requestId: response.headers.get('x-request-id'),
    details,
  });
}

/** Reads the seconds of `Retry-After`, a number or a date (RFC 9110 §10.2.3), at least 0; null if there is none. */
export function readRetryAfter({ headers }: Response): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const sentAt = Date.parse(headers.get('date') ?? '');
  const at = /^[A-Z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, (at - (Number.isNaN(sentAt) ? Date.now() : sentAt)) / 1_000);
}

interface Reason {
  code: string;
  message: string;
  details: Record<string, unknown>;
}

function readReason(text: string): Partial<Reason> {
  const body = parse(text);
  if (typeof body !== 'object' || body === null) return {};
  const { code, title, error, error_description: description } = body as Record<string, unknown>;
  if (typeof code === 'string') return { code, message: textOr(title, code), details: { ...body } };
  if (typeof error === 'string') return { code: error, message: textOr(description, error), details: { ...body } };
  return typeof error === 'object' && error !== null ? readRpcReason({ ...error }) : {};
}

/** Reads a JSON-RPC error; its reason is Parley's code, in `data` (A2A 1.0, section 9.5). */
export function readRpcReason({ code, message, data }: Record<string, unknown>): Reason {
  const infos = (Array.isArray(data) ? data : [data]) as ({ reason?: unknown } | null | undefined)[];
  const reason = infos.map((info) => info?.reason).find((found) => typeof found === 'string');
  const name = typeof reason === 'string' ? reason.toLowerCase() : `rpc_${String(code)}`;
  return { code: name, message: textOr(message, name), details: { rpcCode: code, data } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function describe(response: Response): string {
  return `The response from ${response.url || 'Parley'} (HTTP ${response.status})`;
}
