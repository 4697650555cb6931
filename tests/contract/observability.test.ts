import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  post,
  readEvents,
  rpc,
} from '../support/fixtures';
import { freePort } from '../support/free-port';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

interface CallLine {
  event: string;
  agent: string;
  method: string;
  status: number;
  code?: string;
  streamed: boolean;
  requestId: string;
}

let parley: Parley;
let agent: ScriptedAgent;
let connection: Connection;
let metricsPort: number;
let collector: Server;
const collected: { path: string; body: string }[] = [];

interface LogRecord {
  timeUnixNano: string;
  severityText: string;
  body: { stringValue: string };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  traceId: string;
  spanId: string;
}

/** The log records that the collector has received. */
function exportedLogs(): LogRecord[] {
  type Export = { resourceLogs: { scopeLogs: { logRecords: LogRecord[] }[] }[] };
  return collected
    .filter(({ path }) => path === '/v1/logs')
    .flatMap(({ body }) => (JSON.parse(body) as Export).resourceLogs)
    .flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords));
}

beforeAll(async () => {
  agent = await ScriptedAgent.start();
  agent.answer(({ result, end }) => {
    result(agent03.status('t', 'working', 'a secret word'));
    result(agent03.status('t', 'completed'));
    end();
  });
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    collected.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString('utf8') });
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  metricsPort = await freePort();
  parley = await startParley({
    env: {
      AGENT_URL_ALLOW: 'http://127.0.0.1:*',
      LOG_LEVEL: 'info',
      METRICS_PORT: String(metricsPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    },
  });
  const ada = await createPerson(parley.url);
  connection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
});

afterAll(async () => {
  await parley?.stop();
  await agent?.stop();
  collector?.close();
});

/** Sends the beginning of a call and disconnects: immediately, or when the server had time to wait for the rest. */
function breakOff(bodyHeader: string, begun: string): Promise<void> {
  const { host, hostname, port, pathname } = new URL(connection.url);
  const head = [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${connection.token}`];
  const text = [...head, 'Content-Type: application/json', bodyHeader, '', begun].join('\r\n');
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(text, () => setImmediate(() => socket.destroy())),
    );
    socket.on('close', () => resolve());
  });
}

function callLines(): CallLine[] {
  const lines = parley
    .output()
    .split('\n')
    .filter((text) => text.startsWith('{'));
  return lines.map((text) => JSON.parse(text) as CallLine).filter(({ event }) => event === 'call');
}

test('every call is logged on one line with its request id, without tokens, user ids or message text', async () => {
  const before = callLines().length;
  await rpc(connection, 'message/send', message03('another secret word'));
  await readEvents(
    await post(connection, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('hush') }),
  );
  const refused = await rpc(connection, 'tasks/get', { id: '7b1c3c39-7d6b-4c55-a1a3-0a3c5a5e7e11' });
  await rpc({ ...connection, token: 'nobody' }, 'tasks/get', { id: 'x' });
  await rpc(connection, 'no/such', {});
  await waitFor(() => callLines().length === before + 5, { what: 'the five lines' });
  const connections = callLines().slice(before);
  expect(connections.map(({ method, status, code, streamed }) => [method, status, code, streamed])).toEqual([
    ['message/send', 200, undefined, false],
    ['message/stream', 200, undefined, true],
    ['tasks/get', 200, 'task_not_found', false],
    ['', 401, 'invalid_token', false],
    ['', 200, 'method_not_found', false],
  ]);
  expect(connections[2]?.requestId).toBe(refused.headers.get('x-request-id'));
  expect(parley.output()).not.toMatch(/secret word|hush/);
  expect(parley.output()).not.toContain(connection.token);
  expect(parley.output()).not.toMatch(/usr_/);
});

test('the metrics include rate, errors and duration of each route, page and agent, and the process state', async () => {
  for (const path of ['/api/agents?limit=1', '/api/agents/no-such-agent', '/api/nothing-here', `/no/${'x'.repeat(50)}`])
    await (await fetch(parley.url + path, { headers: { accept: 'text/html' } })).text();
  const text = await metricsOf(`http://127.0.0.1:${metricsPort}`);
  const routes = [
    ['GET', '/api/agents', 200],
    ['GET', '/api/agents/:slug', 404],
    ['POST', '/agents/:slug/a2a/jsonrpc', 200],
    ['GET', 'page', 404],
    ['GET', 'unmatched', 404],
  ];
  for (const [method, route, status] of routes) {
    const labels = `http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"`;
    expect(text).toMatch(new RegExp(`^http_server_request_duration_count\\{${labels}[^}]*\\} [1-9]`, 'm'));
  }
  expect(text).not.toContain('xxxx');
  expect(text).toMatch(/^agent_call_duration_count\{outcome="ok"[^}]*\} [1-9]/m);
  expect(text).toMatch(/^process_event_loop_delay_p99(?:\{[^}]*\})? \d/m);
  expect(text).toMatch(/^process_memory_rss(?:\{[^}]*\})? [1-9]\d{6,}/m);
  expect(text).toMatch(/^db_pool_connections(?:\{[^}]*\})? [1-9]/m);
  expect(text).toMatch(/^bus_listening(?:\{[^}]*\})? 1$/m);
  expect(text).toMatch(/^bus_lag(?:\{[^}]*\})? \d/m);
  expect(text).toMatch(/^job_since_success\{name="keys.rotation"[^}]*\} \d/m);
  expect(text).toMatch(/^job_interval\{name="keys.rotation"[^}]*\} 3600$/m);
});

test('the metrics include the amount and age of waiting work, measured in the background', async () => {
  const backlogs = ['push_backlog', 'payments_outbox', 'embeddings_backlog', 'hub_queue'];
  await waitFor(
    async () => {
      const text = await metricsOf(`http://127.0.0.1:${metricsPort}`);
      const has = (name: string): boolean => new RegExp(`^${name}(?:\\{[^}]*\\})? \\d`, 'm').test(text);
      return backlogs.every((name) => has(`${name}_due`) && has(`${name}_age`));
    },
    { what: 'the counts of waiting work' },
  );
});

test('a collector also receives the log, with each call’s trace and nothing that is missing from stderr', async () => {
  const [traceId, callerSpan] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  const response = await fetch(connection.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${connection.token}`,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-${callerSpan}-01`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'x' } }),
  });
  const requestId = response.headers.get('x-request-id');
  const record = (): LogRecord | undefined =>
    exportedLogs().find(({ attributes }) =>
      attributes.some(({ key, value }) => key === 'requestId' && value.stringValue === requestId),
    );
  await waitFor(() => record() !== undefined, { what: 'the exported line', timeout: 15_000 });
  expect(record()).toMatchObject({ body: { stringValue: 'call' }, severityText: 'INFO', traceId });
  expect(record()?.spanId).toMatch(/^(?!0{16}$)[0-9a-f]{16}$/);
  expect(record()?.spanId).not.toBe(callerSpan);
  const line = callLines().find((call) => call.requestId === requestId);
  expect(line).toMatchObject({ event: 'call', traceId, spanId: record()?.spanId });
  const logs = JSON.stringify(exportedLogs());
  expect(logs).not.toMatch(/secret word|usr_/);
  expect(logs).not.toContain(connection.token);
});

test('alerts and the dashboard use only existing metrics, and every alert is documented', async () => {
  const [alerts, dashboard, pages] = [
    'deploy/monitoring/alerts.yml',
    'deploy/monitoring/dashboard.json',
    'docs/operations/alerts.md',
  ].map((file) => readFileSync(file, 'utf8'));
  const names = [...(alerts ?? '').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThanOrEqual(15);
  expect([...(pages ?? '').matchAll(/^## (\w+)$/gm)].map(([, name]) => name)).toEqual(names);
  const text = await metricsOf(`http://127.0.0.1:${metricsPort}`);
  const known = new Set(
    [...text.matchAll(/^# TYPE (\w+)/gm)].flatMap(([, name = '']) => [name, `${name}_count`, `${name}_bucket`]),
  );
  const read =
    `${alerts}${dashboard}`.match(
      /\b(?:http_server|a2a|agent|db|bus|events|process|search|push|payments|embeddings|hub|job)_\w+/g,
    ) ?? [];
  // Absent until the first call is dropped, the first job fails, the first request is rejected, and a standby connects,
  // and without EVENTS_URL and TASK_DATABASE_URLS.
  const counters = [
    'a2a_call_log_dropped_total',
    'a2a_call_log_retries_total',
    'job_failures_total',
    'http_server_rejected_total',
    'db_synchronous',
    'events_stream',
    'db_task_database',
  ];
  expect([...new Set(read)].filter((name) => !known.has(name) && !counters.includes(name))).toEqual([]);
});

function metricsOf(origin: string): Promise<string> {
  return fetch(`${origin}/metrics`).then((response) => response.text());
}

test.skipIf(!hasPromtool())('Prometheus accepts the alert rules', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', 'deploy/monitoring/alerts.yml']);
  expect(`${stdout}${stderr}`).toContain('SUCCESS: 19 rules found');
  expect(status).toBe(0);
});

function hasPromtool(): boolean {
  const isInstalled = spawnSync('promtool', ['--version']).status === 0;
  if (!isInstalled) console.warn('The rules are not checked: promtool (Debian package prometheus) is not installed.');
  return isInstalled;
}

test('metrics require a token unless they are served on the loopback address', async () => {
  const [port, token] = [await freePort(), 'm'.repeat(40)];
  const outside = { METRICS_HOST: '0.0.0.0', METRICS_PORT: String(port) };
  await expect(startParley({ env: outside })).rejects.toThrow(/METRICS_TOKEN/);
  const protectedParley = await startParley({ env: { ...outside, METRICS_TOKEN: token } });
  try {
    const statusWith = async (authorization?: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: authorization ? { authorization } : {} })).status;
    expect(await statusWith()).toBe(401);
    expect(await statusWith(`Bearer ${token}x`)).toBe(401);
    expect(await statusWith(`Bearer ${token}`)).toBe(200);
    expect(protectedParley.output()).not.toContain(token);
  } finally {
    await protectedParley.stop();
  }
});

test('Prometheus can read counts and durations, but only on the loopback address', async () => {
  const text = await metricsOf(`http://127.0.0.1:${metricsPort}`);
  expect(text).toMatch(/^a2a_calls_total\{[^}]*method="message\/send"[^}]*outcome="ok"[^}]*\} [1-9]/m);
  expect(text).toMatch(/^a2a_call_duration_bucket\{/m);
  expect(text).toMatch(/^a2a_runs(\{[^}]*\})? 0$/m);
  expect(text).not.toMatch(/usr_|secret word/);
  const others = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of others) await expect(fetch(`http://${address}:${metricsPort}/metrics`)).rejects.toThrow();
});

test('a collector receives a span for each call, with its error', async () => {
  const spans = (): string =>
    collected
      .filter(({ path }) => path === '/v1/traces')
      .map(({ body }) => body)
      .join('\n');
  await waitFor(() => spans().includes('task_not_found'), { what: 'the spans', timeout: 15_000 });
  expect(spans()).toContain('"a2a.call"');
  expect(spans()).not.toMatch(/secret word|usr_/);
});

test('a caller that disconnects while sending its body causes no server error', async () => {
  const broken = (): CallLine[] => callLines().filter(({ code }) => code === 'invalid_request');
  await breakOff('Content-Length: 1000', '{"jsonrpc":');
  await waitFor(() => broken().length === 1, { what: "the first call's line" });
  await breakOff('Transfer-Encoding: chunked', '5\r\n{"jso\r\n');
  await waitFor(() => broken().length === 2, { what: "the second call's line" });
  expect(parley.output()).not.toContain('request.failed');
});
