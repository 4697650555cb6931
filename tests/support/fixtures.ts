import { scryptSync } from 'node:crypto';
import { newId, newUuid } from '@/lib/platform/ids';
import { expectMatchesDescription } from './match-description';
import { query } from './sql';

/** A user with an account, a session and an access token. */
export interface Person {
  userId: string;
  email: string;
  cookie: string;
  accessToken: string;
}

export const testPassword = 'correct horse battery';

/** A stored hash contains its cost. This hash has the lowest cost, because most tests sign in. */
const testPasswordHash = ['scrypt', 2, 1, 1, 'AAAA', hashOf(testPassword)].join('$');

function hashOf(text: string): string {
  return scryptSync(text, Buffer.from('AAAA', 'base64url'), 32, { N: 2, r: 1, p: 1 }).toString('base64url');
}

/** An address without an account, different in each call: files that share a Parley share its mails and limits. */
export function newEmail(name: string): string {
  return `${name.toLowerCase()}-${newUuid().slice(0, 8)}@example.test`;
}

/** Creates an account in this process's database, or where `insert` writes, with {@link testPassword}. */
export async function createAccount(
  name = 'Ada',
  insert: typeof query = query,
): Promise<Pick<Person, 'userId' | 'email'>> {
  const email = newEmail(name);
  const userId = newId('usr');
  await insert(
    'test-insert-user',
    'INSERT INTO "user" (id, email, email_verified, name, password_hash) VALUES ($1, $2, now(), $3, $4)',
    [userId, email, name, testPasswordHash],
  );
  return { userId, email };
}

/** Creates an account like {@link createAccount} and signs in to the Parley at `url`. */
export async function createPerson(url: string, name = 'Ada', insert: typeof query = query): Promise<Person> {
  const { userId, email } = await createAccount(name, insert);
  const signedIn = await send(`${url}/api/auth/local`, { body: { email, password: testPassword }, origin: url });
  const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0];
  if (signedIn.status !== 204 || !cookie) throw new Error(`sign-in: ${signedIn.status} ${await signedIn.text()}`);
  const created = await send(`${url}/api/auth/access-tokens`, { body: { name: 'test' }, cookie, origin: url });
  const { token } = (await expectStatus(created, 201)) as { token: string };
  return { userId, email, cookie, accessToken: token };
}

/** Lists an agent by its address; returns its slug. */
export async function listAgent(
  url: string,
  owner: Pick<Person, 'accessToken'>,
  agent: { url: string; slug?: string; visibility?: string; appId?: string; confirmOrigin?: boolean },
): Promise<string> {
  const response = await send(`${url}/api/agents`, { body: agent, bearer: owner.accessToken });
  if (response.status !== 201 && response.status !== 200)
    throw new Error(`register: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { slug: string }).slug;
}

/** A token for `person` to call the agent. */
export async function tokenFor(url: string, person: Pick<Person, 'accessToken'>, slug: string): Promise<string> {
  const response = await send(`${url}/api/auth/handshake`, { body: { agentSlug: slug }, bearer: person.accessToken });
  return ((await expectStatus(response, 200)) as { token: string }).token;
}

/** The URL and token for calls to one agent, and extra headers for the next call. */
export interface Connection {
  url: string;
  token: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The connection, with headers for one call. */
export function withHeaders(connection: Connection, headers: Record<string, string>): Connection {
  return { ...connection, headers };
}

/** The caller's connection to an agent: URL and token. */
export async function connectTo(url: string, person: Pick<Person, 'accessToken'>, slug: string): Promise<Connection> {
  return { url: `${url}/agents/${slug}/a2a/jsonrpc`, token: await tokenFor(url, person, slug) };
}

interface RpcResponse {
  status: number;
  headers: Headers;
  body: { id?: unknown; result?: unknown; error?: { code: number; message: string; data: unknown } };
}

/** One JSON-RPC call with a JSON response. */
export async function rpc(connection: Connection, method: string, params: object): Promise<RpcResponse> {
  const response = await post(connection, { jsonrpc: '2.0', id: 'q', method, params });
  return { status: response.status, headers: response.headers, body: (await response.json()) as RpcResponse['body'] };
}

/** The raw response to a JSON-RPC body. */
export function post({ url, token, headers, signal }: Connection, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal,
  });
}

/** A user message in A2A 0.3. */
export function message03(text: string, extra: object = {}): { message: object } {
  return {
    message: { kind: 'message', messageId: newUuid(), role: 'user', parts: [{ kind: 'text', text }], ...extra },
  };
}

/** A user message in A2A 1.0. */
export function message10(text: string, extra: object = {}): { message: object } {
  return { message: { messageId: newUuid(), role: 'ROLE_USER', parts: [{ text }], ...extra } };
}

export interface WireEvent {
  id: string | undefined;
  event: string | undefined;
  data: unknown;
}

/** The JSON-RPC result that an event carries. */
export function resultOf<Result>(event: WireEvent | undefined): Result {
  if (!event) throw new Error('expected an event, found the end of the stream');
  return (event.data as { result: Result }).result;
}

/** Reads a stream's events until `until` returns true or the stream ends. */
export async function readEvents(
  response: Response,
  until: (events: WireEvent[]) => boolean = () => false,
): Promise<WireEvent[]> {
  const events: WireEvent[] = [];
  if (!response.body) return events;
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    events.push(...frames.map(parseFrame).filter((event) => event !== null));
    if (until(events)) break;
  }
  return events;
}

/** Reads a stream as it arrives; events remain when the connection breaks. */
export function follow(response: Promise<Response>): { seen: WireEvent[]; ended: Promise<void> } {
  const seen: WireEvent[] = [];
  const reading = response.then((stream) =>
    readEvents(stream, (events) => {
      seen.splice(0, seen.length, ...events);
      return false;
    }),
  );
  return { seen, ended: reading.then(() => undefined).catch(() => undefined) };
}

function parseFrame(frame: string): WireEvent | null {
  const lines = frame.split('\n');
  const member = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
  return data.length > 0 ? { id: member('id'), event: member('event'), data: JSON.parse(data.join('\n')) } : null;
}

/** One request to Parley's JSON API. */
export async function send(
  url: string,
  call: {
    method?: string;
    body?: unknown;
    bearer?: string;
    cookie?: string;
    origin?: string;
    headers?: Record<string, string>;
  },
): Promise<Response> {
  const headers: Record<string, string> = { ...call.headers };
  if (call.bearer) headers.authorization = `Bearer ${call.bearer}`;
  if (call.cookie) headers.cookie = call.cookie;
  if (call.origin) headers.origin = call.origin;
  if (call.body !== undefined) headers['content-type'] = 'application/json';
  const method = call.method ?? (call.body === undefined ? 'GET' : 'POST');
  const response = await fetch(url, {
    method,
    headers,
    body: call.body === undefined ? undefined : JSON.stringify(call.body),
    redirect: 'manual',
  });
  await expectMatchesDescription(method, response);
  return response;
}

async function expectStatus(response: Response, status: number): Promise<unknown> {
  if (response.status !== status)
    throw new Error(`expected ${status}, found ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Returns the texts of the artifact updates of an A2A 1.0 stream, joined. */
export function textsOf(events: WireEvent[]): string {
  return events
    .flatMap(({ data }) => {
      const { result } = data as { result: { artifactUpdate?: { artifact: { parts: { text: string }[] } } } };
      return result.artifactUpdate?.artifact.parts.map(({ text }) => text) ?? [];
    })
    .join('');
}
