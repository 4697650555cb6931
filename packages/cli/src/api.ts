import { requestJson } from '@parley/agent';

/** Registering has Parley fetch a card first. */
const TIMEOUT_MS = 40_000;

export interface ApiCall {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Sent as JSON. */
  body?: object;
  /** Sent as a form, as OAuth's endpoints want it. */
  form?: Record<string, string>;
  headers?: Record<string, string>;
  accessToken?: string;
  signal?: AbortSignal;
}

/**
 * One call to a Parley's own endpoints.
 * @throws {ParleyError} with the code that Parley names, or `unreachable`
 */
export async function callApi<Answer extends object>(
  origin: string,
  place: string,
  { method, body, form, headers: more, accessToken, signal }: ApiCall = {},
): Promise<Answer> {
  const headers: Record<string, string> = { accept: 'application/json', ...more };
  if (accessToken !== undefined) headers.authorization = `Bearer ${accessToken}`;
  if (body) headers['content-type'] = 'application/json';
  const answer = await requestJson(fetch, `${origin}${place}`, {
    method: method ?? (body || form ? 'POST' : 'GET'),
    headers,
    body: body ? JSON.stringify(body) : form && new URLSearchParams(form),
    signal,
    timeoutMs: TIMEOUT_MS,
  });
  return answer as Answer;
}
