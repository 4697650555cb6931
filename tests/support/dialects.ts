import { type Line, post, readEvents, tokenFor, type WireEvent } from './world';

/** Paths that Parley answers on in A2A 0.1 and its variations. */
export const seedPaths = {
  society: '/agents/:slug/society',
  societyai: '/agents/:slug/tasks/process',
  orloj: '/v1/agent-systems/:slug/a2a',
  agentos: '/agents/:slug/a2a/rpc',
  '0.1': '/agents/:slug/a2a/jsonrpc',
} as const;

export type SeedPath = keyof typeof seedPaths;

/** A task as any of the variations writes it. */
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

/** A person's lines to one agent, one for every path. */
export async function linesTo(
  url: string,
  person: { accessToken: string },
  slug: string,
): Promise<Record<SeedPath, Line>> {
  const token = await tokenFor(url, person, slug);
  const entries = Object.entries(seedPaths).map(([key, path]) => [
    key,
    { url: url + path.replace(':slug', slug), token },
  ]);
  return Object.fromEntries(entries) as Record<SeedPath, Line>;
}

/** One call of 0.1 with a JSON answer. */
export function call01(line: Line, method: string, params: object): Promise<Answer01> {
  return send01(line, { jsonrpc: '2.0', id: 'req-1', method, params });
}

/** The JSON answer to a whole body. */
export async function send01(line: Line, body: object | string): Promise<Answer01> {
  const response = await post(line, body);
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer01['body'] };
}

/** The task that a call answers with. */
export async function task01(line: Line, method: string, params: object): Promise<Task01> {
  const { body } = await call01(line, method, params);
  if (!body.result) throw new Error(JSON.stringify(body));
  return body.result;
}

/** A long stream's events as they come; `stop` leaves it. */
export async function watch(
  line: Line,
  method: string,
  params: object,
): Promise<{ events: WireEvent[]; ended: Promise<WireEvent[]>; stop: () => void }> {
  const abort = new AbortController();
  const response = await post({ ...line, signal: abort.signal }, { jsonrpc: '2.0', id: 'req-1', method, params });
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
