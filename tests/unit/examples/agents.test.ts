import path from 'node:path';
import { AgentCard, type Message, Part, Role, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import type { SignedCart } from '@parley/agent';
import { A2AClient } from 'a2a-sdk-0-3/client';
import { decodeJwt } from 'jose';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_BYTES } from '@/examples/agents/analyst/find-csv';
import { checkCart } from '@/lib/protocol/ap2/check-cart';
import { type AgentProcess, ensureAgent, originOf, stopAgent } from '@/scripts/demo/agent-process';
import { freePort } from '@/scripts/processes.mjs';
import { bundleAgents, credentialsFor, startParley } from './running-agents';

const slugs = ['conformance', 'pizzeria', 'analyst'] as const;
type Slug = (typeof slugs)[number];

let bundles: Awaited<ReturnType<typeof bundleAgents>>;
let parley: Awaited<ReturnType<typeof startParley>>;
const running = new Map<Slug, AgentProcess>();

beforeAll(async () => {
  [bundles, parley] = await Promise.all([bundleAgents(...slugs), startParley()]);
  for (const slug of slugs) {
    const bundle = path.join(bundles.folder, `${slug}.mjs`);
    const logFile = path.join(bundles.folder, `${slug}.log`);
    const launch = { slug, bundle, logFile, variables: credentialsFor(parley.url), preferredPort: await freePort() };
    running.set(slug, await ensureAgent(launch, null));
  }
});

afterAll(async () => {
  for (const [slug, agent] of running) await stopAgent(slug, agent);
  await parley.stop();
  bundles.remove();
});

function origin(slug: Slug): string {
  const agent = running.get(slug);
  if (!agent) throw new Error(`${slug} does not run`);
  return originOf(agent);
}

function fetchAs(person: string): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${parley.tokenOf(person)}`);
    return fetch(input, { ...init, headers });
  };
}

function clientOf(slug: Slug, person = 'ada'): Promise<Client> {
  const fetchImpl = fetchAs(person);
  const transports = [new JsonRpcTransportFactory({ fetchImpl })];
  return new ClientFactory({ transports, cardResolver: new DefaultAgentCardResolver({ fetchImpl }) }).createFromUrl(
    origin(slug),
  );
}

function oldClientOf(slug: Slug): Promise<A2AClient> {
  return A2AClient.fromCardUrl(`${origin(slug)}/.well-known/agent-card.json`, { fetchImpl: fetchAs('ada') });
}

type TaskRef = Partial<Pick<Message, 'taskId' | 'contextId'>>;

function requestOf(content: string | object[], target: TaskRef = {}) {
  const parts = (typeof content === 'string' ? [{ text: content }] : content).map((part) => Part.fromJSON(part));
  const message: Message = {
    messageId: crypto.randomUUID(),
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...target,
  };
  return { tenant: '', message, configuration: undefined, metadata: undefined };
}

async function send(client: Client, content: string | object[], target?: TaskRef): Promise<Task> {
  const answer = await client.sendMessage(requestOf(content, target));
  if (!('status' in answer)) throw new Error('a message came, not a task');
  return answer;
}

type Payload = NonNullable<StreamResponse['payload']>;

async function streamOf(
  client: Client,
  content: string | object[],
  onEvent: (events: Payload[]) => void | Promise<void> = () => undefined,
): Promise<Payload[]> {
  const events: Payload[] = [];
  for await (const { payload } of client.sendMessageStream(requestOf(content))) {
    if (payload) events.push(payload);
    await onEvent(events);
  }
  return events;
}

function lastState(events: Payload[]): TaskState | undefined {
  const last = events.at(-1);
  return last?.$case === 'statusUpdate' ? last.value.status?.state : undefined;
}

function idOf(events: Payload[]): string {
  const first = events[0];
  if (first?.$case !== 'task') throw new Error('the stream does not begin with a task');
  return first.value.id;
}

function textOf(task: Task, artifactId: string): string {
  const parts = task.artifacts.find((artifact) => artifact.artifactId === artifactId)?.parts ?? [];
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
}

function asked(task: Task): string {
  const content = task.status?.message?.parts[0]?.content;
  return content?.$case === 'text' ? content.value : '';
}

interface Rpc {
  body?: string;
  headers?: Record<string, string>;
}

function call(slug: Slug, { body = '{}', headers = {} }: Rpc): Promise<Response> {
  const all = { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers };
  return fetch(`${origin(slug)}/a2a/jsonrpc`, { method: 'POST', headers: all, body });
}

describe.each(slugs)('authentication in %s', (slug) => {
  it.each([
    ['no token', {}, /^Bearer realm="parley", resource_metadata=/],
    ['another scheme', { authorization: 'Basic YTpi' }, /^Bearer realm="parley", resource_metadata=/],
    [
      'a token that Parley did not issue',
      { authorization: 'Bearer stolen' },
      /^Bearer realm="parley", error="invalid_token"/,
    ],
  ])('rejects %s with a 401 and a challenge, before the body is read', async (_name, headers, challenge) => {
    const response = await call(slug, { headers: { ...headers }, body: 'no json' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(challenge);
  });

  it('prefers Parley-Token to Authorization', async () => {
    const headers = { authorization: 'Bearer for-the-agents-own-use', 'parley-token': parley.tokenOf('ada') };
    expect((await call(slug, { headers })).status).toBe(200);
    const other = { authorization: `Bearer ${parley.tokenOf('ada')}`, 'parley-token': 'stolen' };
    expect((await call(slug, { headers: other })).status).toBe(401);
  });
});

describe.each(slugs)('the card of %s', (slug) => {
  const card = (version?: string) =>
    fetch(`${origin(slug)}/.well-known/agent-card.json`, version ? { headers: { 'a2a-version': version } } : {});

  it('is pure 1.0 on request', async () => {
    const response = await card('1.0');
    const json = await response.json();
    expect(AgentCard.toJSON(AgentCard.fromJSON(json))).toEqual(json);
    expect(json.securitySchemes.parley.httpAuthSecurityScheme.scheme).toBe('bearer');
    expect(json.supportedInterfaces).toEqual(
      ['1.0', '0.3'].map((protocolVersion) => ({
        url: `${origin(slug)}/a2a/jsonrpc`,
        protocolBinding: 'JSONRPC',
        protocolVersion,
      })),
    );
    expect(json).not.toHaveProperty('url');
    expect(response.headers.get('vary')).toBe('A2A-Version');
  });

  it('is hybrid by default', async () => {
    for (const version of [undefined, '0.3']) {
      const json = await (await card(version)).json();
      expect(json).toMatchObject({ protocolVersion: '0.3', preferredTransport: 'JSONRPC', security: [{ parley: [] }] });
      expect(json.supportedInterfaces).toHaveLength(2);
    }
  });

  it('supports conditional requests', async () => {
    const etag = (await card('1.0')).headers.get('etag') ?? '';
    // Node's fetch would request a fresh copy regardless of the tag.
    const headers = { 'a2a-version': '1.0', 'if-none-match': etag };
    const again = await request(`${origin(slug)}/.well-known/agent-card.json`, { headers });
    await again.body.dump();
    expect(again.statusCode).toBe(304);
  });

  it('has skills with tags and examples', async () => {
    const { skills, capabilities } = await (await card('1.0')).json();
    for (const skill of skills) expect(Math.min(skill.tags.length, skill.examples.length)).toBeGreaterThan(0);
    expect(capabilities.streaming).toBe(true);
  });
});

describe.each(slugs)('request checks in %s', (slug) => {
  const message = (parts: unknown, role = 'ROLE_USER') =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: { message: { messageId: 'm', role, parts } },
    });

  it.each([
    ['text that is not JSON', '{"jsonrpc"', -32700],
    ['an array', '[]', -32602],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"Nope","params":{}}', -32601],
    ['a message without parts', message([]), -32602],
    ['a part without content', message([{}]), -32602],
    ['a message from an agent', message([{ text: 'x' }], 'ROLE_AGENT'), -32602],
    ['no message', '{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{}}', -32602],
  ])('reject %s', async (_name, body, code) => {
    const response = await call(slug, { body, headers: { authorization: `Bearer ${parley.tokenOf('ada')}` } });
    expect(response.status).toBe(200);
    expect((await response.json()).error.code).toBe(code);
  });

  it('reject a body of more than 8 MB', async () => {
    const body = message([{ text: 'a'.repeat(8 * 1024 * 1024) }]);
    const response = await call(slug, { body, headers: { authorization: `Bearer ${parley.tokenOf('ada')}` } });
    expect(response.status).toBe(413);
  });
});

describe('the conformance agent', () => {
  it.each([
    ['text', [{ text: 'hello' }]],
    ['a file', [{ raw: 'AAH/', filename: 'b.bin', mediaType: 'application/octet-stream' }]],
    ['data', [{ data: { a: [1, null, 'x'] }, mediaType: 'application/json', metadata: { shown: true } }]],
    ['all kinds of parts', [{ text: 'stream 3' }, { data: [1] }, { url: 'https://example.com/x', filename: 'x' }]],
  ])('echoes %s', async (_name, parts) => {
    const task = await send(await clientOf('conformance'), parts);
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(task.artifacts[0]?.parts.map((part) => Part.toJSON(part))).toEqual(parts);
  });

  it('streams several chunks that are appended to each other', async () => {
    const client = await clientOf('conformance');
    const events = await streamOf(client, 'stream 12');
    const chunks = events.flatMap((event) => (event.$case === 'artifactUpdate' ? [event.value] : []));
    expect(chunks.map(({ append }) => append)).toEqual([false, ...Array.from({ length: 11 }, () => true)]);
    expect(chunks.map(({ lastChunk }) => lastChunk)).toEqual([...Array.from({ length: 11 }, () => false), true]);
    expect(lastState(events)).toBe(TaskState.TASK_STATE_COMPLETED);
    const stored = await client.getTask({ tenant: '', id: idOf(events) });
    expect(textOf(stored, 'numbers')).toBe(Array.from({ length: 12 }, (_, index) => `${index + 1}\n`).join(''));
  });

  it.each([
    ['ask', TaskState.TASK_STATE_INPUT_REQUIRED],
    ['auth', TaskState.TASK_STATE_AUTH_REQUIRED],
  ])('pauses at "%s" and echoes the reply on the same task', async (command, state) => {
    const client = await clientOf('conformance');
    const events = await streamOf(client, command);
    expect(lastState(events)).toBe(state);
    const done = await send(client, 'fail', { taskId: idOf(events) });
    expect([done.id, done.status?.state]).toEqual([idOf(events), TaskState.TASK_STATE_COMPLETED]);
    expect(textOf(done, 'echo')).toBe('fail');
  });

  it.each([
    ['fail', TaskState.TASK_STATE_FAILED],
    ['reject', TaskState.TASK_STATE_REJECTED],
  ])('ends at "%s", and the task accepts no more messages', async (command, state) => {
    const client = await clientOf('conformance');
    const task = await send(client, command);
    expect(task.status?.state).toBe(state);
    await expect(send(client, 'more', { taskId: task.id })).rejects.toThrow(/terminal/);
  });

  it('returns a message but no task for "message"', async () => {
    const client = await clientOf('conformance');
    expect(await client.sendMessage(requestOf('message'))).toMatchObject({ role: Role.ROLE_AGENT, taskId: '' });
    expect((await streamOf(client, 'message')).map(({ $case }) => $case)).toEqual(['message']);
  });

  it('reports the caller and the received headers', async () => {
    const client = await clientOf('conformance', 'bob');
    const data = async (command: string) => (await send(client, command)).artifacts[0]?.parts[0]?.content?.value;
    expect(await data('whoami')).toMatchObject({ sub: 'bob', client_id: 'parley-web' });
    expect(await data('headers')).toEqual({ names: expect.arrayContaining(['a2a-version', 'authorization', 'host']) });
  });

  it('stops immediately when canceled, and accepts no second message while it works', async () => {
    const client = await clientOf('conformance');
    const events = await streamOf(client, 'slow 1000', async (soFar) => {
      if (soFar.length !== 4) return;
      await expect(send(client, 'more', { taskId: idOf(soFar) })).rejects.toThrow(/still working/);
      const canceled = await client.cancelTask({ tenant: '', id: idOf(soFar), metadata: undefined });
      expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    });
    expect(lastState(events)).toBe(TaskState.TASK_STATE_CANCELED);
    const stored = await client.getTask({ tenant: '', id: idOf(events) });
    const chunks = events.filter(({ $case }) => $case === 'artifactUpdate').length;
    expect(textOf(stored, 'numbers').trimEnd().split('\n')).toHaveLength(chunks);
  });

  it('continues for a second subscriber', async () => {
    const client = await clientOf('conformance');
    const second: Promise<Payload[]>[] = [];
    await streamOf(client, 'slow 10', (events) => {
      if (events.length === 3) second.push(listen(client, idOf(events)));
    });
    const [heard = []] = await Promise.all(second);
    expect(heard[0]?.$case).toBe('task');
    expect(lastState(heard)).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  async function listen(client: Client, id: string): Promise<Payload[]> {
    const events: Payload[] = [];
    for await (const { payload } of client.resubscribeTask({ tenant: '', id })) if (payload) events.push(payload);
    return events;
  }

  it('shows a task only to its caller', async () => {
    const [ada, bob] = [await clientOf('conformance'), await clientOf('conformance', 'bob')];
    const { id } = await send(ada, 'ask');
    await expect(bob.getTask({ tenant: '', id })).rejects.toThrow(/not found/i);
    await expect(send(bob, 'mine', { taskId: id })).rejects.toThrow(/not found/i);
    await expect(bob.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toThrow(/not found/i);
  });

  it('also supports A2A 0.3', async () => {
    const client = await oldClientOf('conformance');
    const message = { kind: 'message' as const, messageId: 'm1', role: 'user' as const };
    const parts = [
      { kind: 'text' as const, text: 'hello' },
      { kind: 'file' as const, file: { bytes: 'AAH/', name: 'b.bin', mimeType: 'application/octet-stream' } },
      { kind: 'data' as const, data: { a: 1 } },
    ];
    const answer = await client.sendMessage({ message: { ...message, parts }, configuration: { blocking: true } });
    expect(answer).toMatchObject({ result: { kind: 'task', status: { state: 'completed' }, artifacts: [{ parts }] } });
    const kinds: string[] = [];
    const streamed = { message: { ...message, parts: [{ kind: 'text' as const, text: 'stream 2' }] } };
    for await (const event of client.sendMessageStream(streamed)) kinds.push(event.kind);
    expect(kinds).toEqual(['task', 'artifact-update', 'artifact-update', 'status-update']);
  });
});

describe('the pizzeria', () => {
  it('takes an order over several turns of one task, and replaces the cart if it changes', async () => {
    const client = await clientOf('pizzeria');
    let task = await send(client, 'two large margheritas and a small diavola with extra olives');
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(asked(task)).toMatch(/Where should we deliver\?/);
    task = await send(client, '12 Via Roma, Florence', { taskId: task.id });
    expect(cartTotal(task)).toBe(32.35);
    task = await send(client, 'remove the diavola', { taskId: task.id });
    expect(task.artifacts).toHaveLength(1);
    expect(cartTotal(task)).toBe(23.5);
    task = await send(client, 'never mind', { taskId: task.id });
    expect(task.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  });

  function cartOf(task: Task): SignedCart {
    const content = task.artifacts.at(-1)?.parts[0]?.content;
    return (content?.$case === 'data' ? content.value : {})['ap2.mandates.CartMandate'];
  }

  function cartTotal(task: Task): unknown {
    const request = Object(cartOf(task).contents.payment_request);
    return request.details.total.amount.value;
  }

  it('continues a context’s order, and deletes it if the task is canceled', async () => {
    const client = await clientOf('pizzeria');
    const { contextId } = await send(client, 'a large diavola');
    const second = await send(client, 'make it two', { contextId });
    expect(asked(second)).toContain('2 × Diavola, large');
    await client.cancelTask({ tenant: '', id: second.id, metadata: undefined });
    expect(asked(await send(client, 'with olives', { contextId }))).toMatch(/^Tell me first/);
  });

  it('separates callers that choose the same context', async () => {
    const [ada, bob] = [await clientOf('pizzeria'), await clientOf('pizzeria', 'bob')];
    const { contextId } = await send(ada, 'a large diavola');
    expect(asked(await send(bob, 'make it two', { contextId }))).not.toContain('Diavola, large');
  });

  it('declares AP2 on request', async () => {
    const uri = 'https://github.com/google-agentic-commerce/ap2/tree/v0.1';
    const params = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params });
    const headers = { authorization: `Bearer ${parley.tokenOf('ada')}`, 'a2a-extensions': uri };
    expect((await call('pizzeria', { body, headers })).headers.get('a2a-extensions')).toBe(uri);
  });

  it('PAY-2 signs its carts with the key published at its own URL', async () => {
    const task = await send(await clientOf('pizzeria'), 'a large diavola to 12 Via Roma, Florence');
    const { contents, merchant_authorization: token } = cartOf(task);
    const { keys } = await (await fetch(`${origin('pizzeria')}/.well-known/jwks.json`)).json();
    const trust = { keys, issuer: origin('pizzeria'), subject: null, audience: parley.url, now: new Date() };
    const checked = await checkCart(JSON.stringify({ contents, merchant_authorization: token }), trust);
    expect(checked).toMatchObject({ code: null, offer: { merchantName: 'Trattoria Parley' } });
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });

  it('PAY-2 rejects a payment if the signed receipt contains no cart', async () => {
    const task = await send(await clientOf('pizzeria'), [{ data: { 'ap2.mandates.PaymentMandate': {} } }]);
    expect(asked(task)).toMatch(/^I did not accept this payment: There is no cart to pay\./);
    const content = task.artifacts.at(-1)?.parts[0]?.content;
    const receipt = content?.$case === 'data' ? content.value['ap2.CheckoutReceipt'] : '';
    expect(decodeJwt(receipt)).toMatchObject({ status: 'Error', error: 'invalid_mandate', iss: origin('pizzeria') });
  });
});

describe('the analyst', () => {
  const csv = 'city,date,price\r\nRome,2024-01-01,10\r\nMilan,2024-01-01,14\r\nRome,2024-02-01,"1,200"\r\n';
  const attached = [
    { text: 'profile' },
    { raw: Buffer.from(csv).toString('base64'), filename: 'p.csv', mediaType: 'text/csv' },
  ];

  it('streams text while it works, and returns a table, a chart and a report', async () => {
    const client = await clientOf('analyst');
    const events = await streamOf(client, attached);
    expect(lastState(events)).toBe(TaskState.TASK_STATE_COMPLETED);
    const task = await client.getTask({ tenant: '', id: idOf(events) });
    expect(task.artifacts.map(({ artifactId, parts }) => [artifactId, parts[0]?.metadata])).toEqual([
      ['analysis', undefined],
      ['columns', { 'parley.view': 'table' }],
      ['chart', { 'parley.view': 'chart' }],
      ['report', undefined],
    ]);
    const chunks = events.flatMap((event) =>
      event.$case === 'artifactUpdate' && event.value.artifact?.artifactId === 'analysis' ? [event.value] : [],
    );
    expect(chunks.length).toBeGreaterThanOrEqual(20);
    expect(chunks.filter(({ append }) => !append)).toEqual([chunks[0]]);
    expect(chunks.filter(({ lastChunk }) => lastChunk)).toEqual([chunks.at(-1)]);
    const commentary = textOf(task, 'analysis');
    expect(commentary).toContain('- `price`: 3 number values. Mean 408, median 14, from 10 to 1,200.');
    const report = task.artifacts[3]?.parts[0];
    expect(report).toMatchObject({ filename: 'report.md', mediaType: 'text/markdown' });
    expect(report?.content?.$case === 'raw' && report.content.value.toString()).toMatch(/^## Profile of `p\.csv`/);
    expect(report?.content?.value.toString().startsWith(commentary)).toBe(true);
  });

  it('asks for a CSV file, and continues with it on the same task', async () => {
    const client = await clientOf('analyst');
    const question = await send(client, 'Hello, can you help me?');
    expect(question.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(asked(question)).toContain('```csv');
    const done = await send(client, csv, { taskId: question.id });
    expect([done.id, done.status?.state]).toEqual([question.id, TaskState.TASK_STATE_COMPLETED]);
  });

  it('stops writing after it is canceled', async () => {
    const client = await clientOf('analyst');
    let written = 0;
    const events = await streamOf(client, csv, async (soFar) => {
      if (soFar.length !== 6) return;
      written = soFar.filter(({ $case }) => $case === 'artifactUpdate').length;
      await client.cancelTask({ tenant: '', id: idOf(soFar), metadata: undefined });
    });
    expect(lastState(events)).toBe(TaskState.TASK_STATE_CANCELED);
    // One more chunk may have been in flight when the cancellation was sent.
    expect(events.filter(({ $case }) => $case === 'artifactUpdate').length).toBeLessThanOrEqual(written + 1);
  });

  it('asks for an extract if a file is too large', async () => {
    const raw = Buffer.alloc(MAX_BYTES + 1, 'a,b\n').toString('base64');
    const task = await send(await clientOf('analyst'), [{ raw, filename: 'big.csv', mediaType: 'text/csv' }]);
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(asked(task)).toMatch(/^The CSV is 2\.0 MB; I can read up to 2 MB\./);
  });

  it('works with 0.3 clients', async () => {
    const client = await oldClientOf('analyst');
    const file = { bytes: Buffer.from(csv).toString('base64'), name: 'p.csv', mimeType: 'text/csv' };
    const parts = [{ kind: 'file' as const, file }];
    const message = { kind: 'message' as const, messageId: 'm1', role: 'user' as const, parts };
    const answer = await client.sendMessage({ message, configuration: { blocking: true } });
    expect(answer).toMatchObject({
      result: { status: { state: 'completed' }, artifacts: [{ artifactId: 'analysis' }, {}, {}, {}] },
    });
  });
});

// Last, because afterwards Parley and the agent are gone.
describe('an example agent', () => {
  it('returns 503 to unknown callers while Parley is unreachable', async () => {
    await parley.stop();
    const response = await call('pizzeria', { headers: { authorization: `Bearer ${parley.tokenOf('eve')}` } });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  });

  it('fails tasks with running streams on SIGTERM, and ends its process', async () => {
    const agent = running.get('conformance');
    const client = await clientOf('conformance');
    let stopped: Promise<void> | null = null;
    const events = await streamOf(client, 'slow 1000', (soFar) => {
      if (soFar.length === 4 && agent) stopped = stopAgent('conformance', agent);
    });
    expect(lastState(events)).toBe(TaskState.TASK_STATE_FAILED);
    await stopped;
    await expect(fetch(origin('conformance'))).rejects.toThrow();
  });
});
