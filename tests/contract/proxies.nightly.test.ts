import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, message03, message10, post, rpc, tokenFor } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { listHubAgent } from './hub-fixture';

interface Ports {
  listen: number;
  first: number;
  second: number;
}

interface Proxy {
  name: string;
  check: (file: string) => string[];
  run: (file: string) => string[];
  /** The shipped file with the ports of the test. */
  config: (ports: Ports) => string;
}

/** The time of the shipped files within which the proxies detect a stopped node. */
const SHUTDOWN_DELAY_SECONDS = '5';

const read = (file: string): string => readFileSync(`deploy/${file}`, 'utf8');
let folder: string;
let ports: Ports;
let nodes: Parley[];
let agent: ScriptedAgent;
let origin: string;
let proxy: ChildProcess | undefined;

const proxies: Proxy[] = [
  {
    name: 'nginx',
    check: (file) => ['nginx', '-t', '-c', file],
    run: (file) => ['nginx', '-c', file],
    config: (used) =>
      `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr; events {}\nhttp { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;\n${withPorts(read('proxies/nginx.conf'), used)} }`,
  },
  {
    name: 'haproxy',
    check: (file) => ['haproxy', '-c', '-f', file],
    run: (file) => ['haproxy', '-db', '-f', file],
    config: (used) => withPorts(read('proxies/haproxy.cfg'), used),
  },
  {
    name: 'caddy',
    check: (file) => ['caddy', 'validate', '--adapter', 'caddyfile', '--config', file],
    run: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
    config: ({ listen, first, second }) =>
      `{\n\tadmin off\n}\n${read('compose/Caddyfile').replace('{$DOMAIN}', `http://127.0.0.1:${listen}`).replace('parley-1:3000 parley-2:3000', `127.0.0.1:${first} 127.0.0.1:${second}`)}`,
  },
];

function withPorts(text: string, { listen, first, second }: Ports): string {
  return text
    .replace('127.0.0.1:8080', `127.0.0.1:${listen}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${first}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${second}`);
}

const portOf = ({ url }: Parley): number => Number(new URL(url).port);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-proxy-'));
  chmodSync(folder, 0o777);
  const listen = await freePort();
  origin = `http://127.0.0.1:${listen}`;
  const env = {
    APP_URL: origin,
    AGENT_URL_ALLOW: 'http://127.0.0.1:*',
    TRUSTED_PROXIES: '127.0.0.1',
    SHUTDOWN_DELAY_SECONDS,
  };
  nodes = [await startParley({ env }), await startParley({ env })];
  ports = { listen, first: portOf(nodes[0] as Parley), second: portOf(nodes[1] as Parley) };
});
beforeEach(async () => {
  agent = await ScriptedAgent.start();
});
afterEach(async () => {
  await agent.stop();
  const ended = new Promise((resolve) => (proxy && proxy.exitCode === null ? proxy.once('exit', resolve) : resolve(0)));
  proxy?.kill('SIGKILL');
  await ended;
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the proxy with the shipped file and waits until it sends requests to a node. */
async function startProxy({ name, check, run, config }: Proxy): Promise<void> {
  const file = path.join(folder, name);
  writeFileSync(file, config(ports));
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const [checker = '', ...checkArguments] = check(file);
  const checked = spawnSync(checker, checkArguments, { encoding: 'utf8', env });
  expect(checked.status, `${checked.stdout}${checked.stderr}`).toBe(0);
  const [program = '', ...rest] = run(file);
  proxy = spawn(program, rest, { stdio: 'ignore', env });
  await waitFor(async () => (await fetch(`${origin}/readyz`)).status === 200, { what: `${name} to find a ready node` });
}

/** An agent that sends one event whenever `next` is called. */
function scriptStream(): { next: () => void } {
  let send: (() => void) | undefined;
  let sent = 0;
  agent.answer(({ result, end }) => {
    result(agent03.status('t', 'working'));
    send = () => {
      sent += 1;
      result(agent03.status('t', 'working', `step ${sent}`));
      if (sent === 10) {
        result(agent03.status('t', 'completed', 'Done'));
        end();
      }
    };
  });
  return { next: () => send?.() };
}

describe.each(proxies)('two nodes behind $name with the shipped configuration', (shipped) => {
  test('serve pages, streams, WebSockets and large bodies, and lose no call if a node drains', async ({ skip }) => {
    const [command = ''] = shipped.check('');
    if (spawnSync(command, ['-v']).error) skip(`${command} is missing`);
    await startProxy(shipped);

    expect((await fetch(`${origin}/`, { headers: { accept: 'text/html' } })).status, 'a page').toBe(200);
    const ada = await createPerson(origin);
    const slug = await listAgent(origin, ada, { url: agent.url });
    const connection = { url: `${origin}/agents/${slug}/a2a/jsonrpc`, token: await tokenFor(origin, ada, slug) };

    // Each event arrives before the agent sends the next one: nothing buffers.
    const { next } = scriptStream();
    const streamed = await post(connection, {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/stream',
      params: message03('go'),
    });
    const reader = streamed.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('working')) text += (await reader?.read())?.value ?? '';
    for (let step = 1; step <= 10; step++) {
      next();
      while (!text.includes(`step ${step}"`)) text += (await reader?.read())?.value ?? '';
    }
    await reader?.cancel();

    // A body above Parley's limit gets Parley's error, not one of the proxy.
    const large = await fetch(connection.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${connection.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'x'.repeat(10_000_000) }),
    });
    expect([large.status, await large.json()]).toMatchObject([413, { error: { code: expect.any(Number) } }]);

    const hub = await listHubAgent({ url: origin });
    const worker = await hub.worker();
    worker.onStart = (run) => run.status('COMPLETED');
    expect((await rpc(hub.caller, 'SendMessage', message10('hello'))).body.error).toBeUndefined();
    await worker.close();

    agent.answer(({ json, received }) =>
      json({ jsonrpc: '2.0', id: received.id, result: agent03.task('t', 'completed') }),
    );
    const [, draining] = nodes;
    let isStopped = false;
    const stopped = draining?.kill('SIGTERM').then(() => {
      isStopped = true;
    });
    for (let call = 0; !isStopped; call++) {
      const sent = await rpc(connection, 'tasks/get', { id: crypto.randomUUID() });
      expect([sent.status, sent.body.error?.code], `call ${call}`).toEqual([200, -32001]);
    }
    await stopped;
    for (let call = 0; call < 10; call++)
      expect((await rpc(connection, 'message/send', message03(`after ${call}`))).body.error).toBeUndefined();
    await draining?.restart();
  });
});
