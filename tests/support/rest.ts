import { type Line, lineTo, type Person } from './world';

/** The base of an agent's HTTP+JSON binding, with the person's token. */
export async function restLineTo(url: string, person: Pick<Person, 'accessToken'>, slug: string): Promise<Line> {
  const line = await lineTo(url, person, slug);
  return { ...line, url: `${url}/agents/${slug}/a2a/rest` };
}

interface RestCall {
  body?: unknown;
  headers?: Record<string, string>;
}

/** One request of the HTTP+JSON binding: `rest(line, 'POST /message:send', { body })`. A text is sent as it is. */
export function rest(line: Line, call: string, { body, headers }: RestCall = {}): Promise<Response> {
  const [method = '', path = ''] = call.split(' ');
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  return fetch(`${line.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${line.token}`, ...type, ...line.headers, ...headers },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    signal: line.signal,
  });
}

/** The same with a JSON answer. */
export async function restJson<Body>(
  line: Line,
  call: string,
  options?: RestCall,
): Promise<{ status: number; body: Body }> {
  const response = await rest(line, call, options);
  return { status: response.status, body: (await response.json()) as Body };
}
