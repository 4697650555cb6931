import { type Connection, post, readEvents, tokenFor, type WireEvent } from './fixtures';

/** Paths on which Parley serves A2A 0.1 and its variants. */
export const seedPaths = {
  society: '/agents/:slug/society',
  societyai: '/agents/:slug/tasks/process',
  orloj: '/v1/agent-systems/:slug/a2a',
  agentos: '/agents/:slug/a2a/rpc',
  '0.1': '/agents/:slug/a2a/jsonrpc',
} as const;

export type SeedPath = keyof typeof seedPaths;

/** A task as any of the variants writes it. */
export interface Task01 {
  id: string;
  sessionId?: string;
  status: { state: string; message?: Message01 | string; timestamp?: string };
  artifacts: { name?: string; index?: number; parts: Part01[] }[];
  history?: Message01[];
  messages?: Message01[];
  metadata?: Record<string, unknown>;
  createdAt?: number;
}

export interface Message01 {
  role: string;
  parts: Part01[];
}

export type Part01 = { type: string; text?: string; data?: unknown; file?: Record<string, string> };

export interface Answer01 {
  status: number;
  headers: Headers;
  body: {
    jsonrpc: string;
    id: unknown;
    result?: Task01;
    error?: { code: number; message: string; data: Record<string, unknown> };
  };
}

/** A user's connections to one agent, one per path. */
export async function connectToAll(
  url: string,
  person: { accessToken: string },
  slug: string,
): Promise<Record<SeedPath, Connection>> {
  const token = await tokenFor(url, person, slug);
  const entries = Object.entries(seedPaths).map(([key, path]) => [
    key,
    { url: url + path.replace(':slug', slug), token },
  ]);
  return Object.fromEntries(entries) as Record<SeedPath, Connection>;
}

/** One A2A 0.1 call with a JSON response. */
export function call01(connection: Connection, method: string, params: object): Promise<Answer01> {
  return send01(connection, { jsonrpc: '2.0', id: 'req-1', method, params });
}

/** The JSON response to a raw body. */
export async function send01(connection: Connection, body: object | string): Promise<Answer01> {
  const response = await post(connection, body);
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer01['body'] };
}

/** The task that a call returns. */
export async function task01(connection: Connection, method: string, params: object): Promise<Task01> {
  const { body } = await call01(connection, method, params);
  if (!body.result) throw new Error(JSON.stringify(body));
  return body.result;
}

/** The events of a long stream as they arrive; `stop` disconnects. */
export async function watch(
  connection: Connection,
  method: string,
  params: object,
): Promise<{ events: WireEvent[]; ended: Promise<WireEvent[]>; stop: () => void }> {
  const abort = new AbortController();
  const response = await post({ ...connection, signal: abort.signal }, { jsonrpc: '2.0', id: 'req-1', method, params });
  const events: WireEvent[] = [];
  const ended = readEvents(response, (all) => {
    events.splice(0, events.length, ...all);
    return false;
  });
  ended.catch(() => undefined);
  return { events, ended, stop: () => abort.abort() };
}

/** The params of a send with one text. */
export function say(id: string, text: string, extra: object = {}): { id: string; message: Message01 } {
  return { id, message: { role: 'user', parts: [{ type: 'text', text }] }, ...extra };
}

/** The texts of a task's artifacts. */
export function textsOf(task: Task01 | undefined): string[] {
  return (task?.artifacts ?? []).flatMap(({ parts }) => parts.map(({ text }) => text ?? ''));
}
