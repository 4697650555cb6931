import { type Connection, connectTo, type Person } from './fixtures';

/** Base URL of an agent's HTTP+JSON binding, with the user's token. */
export async function connectToRest(
  url: string,
  person: Pick<Person, 'accessToken'>,
  slug: string,
): Promise<Connection> {
  const connection = await connectTo(url, person, slug);
  return { ...connection, url: `${url}/agents/${slug}/a2a/rest` };
}

interface RestCall {
  body?: unknown;
  headers?: Record<string, string>;
}

/** One HTTP+JSON request: `rest(connection, 'POST /message:send', { body })`. A string body is sent as is. */
export function rest(connection: Connection, call: string, { body, headers }: RestCall = {}): Promise<Response> {
  const [method = '', path = ''] = call.split(' ');
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  return fetch(`${connection.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${connection.token}`, ...type, ...connection.headers, ...headers },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    signal: connection.signal,
  });
}

/** The same with a JSON response. */
export async function restJson<Body>(
  connection: Connection,
  call: string,
  options?: RestCall,
): Promise<{ status: number; body: Body }> {
  const response = await rest(connection, call, options);
  return { status: response.status, body: (await response.json()) as Body };
}
