import { MAX_RETRIES, type Retry, requestJson, retryWhenBusy } from '@parley/agent';

/** Sufficient for a registration, during which Parley fetches a card. */
const TIMEOUT_MS = 40_000;

export interface ApiCall {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Sent as JSON. */
  body?: object;
  /** Sent as a form, as OAuth endpoints require. */
  form?: Record<string, string>;
  headers?: Record<string, string>;
  accessToken?: string;
  signal?: AbortSignal;
  onRetry?: (retry: Retry) => void;
}

/**
 * Calls an endpoint of Parley. Repeats an idempotent call while Parley is busy.
 * @throws {ParleyError} with Parley's code, or `unreachable`
 */
export async function callApi<Answer extends object>(
  origin: string,
  path: string,
  { method, body, form, headers: more, accessToken, signal, onRetry }: ApiCall = {},
): Promise<Answer> {
  const headers: Record<string, string> = { accept: 'application/json', ...more };
  if (accessToken !== undefined) headers.authorization = `Bearer ${accessToken}`;
  if (body) headers['content-type'] = 'application/json';
  const init = {
    method: method ?? (body || form ? 'POST' : 'GET'),
    headers,
    body: body ? JSON.stringify(body) : form && new URLSearchParams(form),
    signal,
    timeoutMs: TIMEOUT_MS,
  };
  const isRepeatable = init.method !== 'POST' || 'idempotency-key' in headers;
  const options = { maxRetries: isRepeatable ? MAX_RETRIES : 0, signal, onRetry };
  const response = await retryWhenBusy(() => requestJson(fetch, `${origin}${path}`, init), options);
  return response as Answer;
}
