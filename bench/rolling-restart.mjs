// Two nodes are restarted in turn under 60 calls a second; a quarter of the calls take the agent 8 s. A load balancer
// that polls /readyz five times a second chooses the node of each call and keeps its connections open. Goal: no call
// fails.
//   node bench/rolling-restart.mjs [restarts] [calls per second]
import { randomUUID } from 'node:crypto';
import { Agent, createServer, request } from 'node:http';
import { startParley } from './lib/parley.mjs';

const restarts = Number(process.argv[2] ?? 4);
const perSecond = Number(process.argv[3] ?? 60);
const slowMs = 8_000;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** An agent that responds immediately, or after 8 s to the message `slow`. */
function startSlowAgent() {
  const server = createServer(async (incoming, response) => {
    response.setHeader('content-type', 'application/json');
    const { port } = server.address();
    if (incoming.method === 'GET') return response.end(JSON.stringify(cardOf(port)));
    let text = '';
    for await (const chunk of incoming) text += chunk;
    const { id, method, params } = JSON.parse(text);
    if (method !== 'message/send') {
      const error = { code: -32601, message: 'Method not found' };
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    }
    if (params.message.parts[0].text === 'slow') await wait(slowMs);
    const parts = [{ kind: 'text', text: 'done' }];
    const result = { kind: 'message', messageId: randomUUID(), role: 'agent', parts };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

function cardOf(port) {
  return {
    name: 'Slow',
    description: 'Answers at once or after a while',
    version: '1.0.0',
    protocolVersion: '0.3.0',
    url: `http://127.0.0.1:${port}/rpc`,
    preferredTransport: 'JSONRPC',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'wait', name: 'Wait', description: 'Waits', tags: ['test'] }],
  };
}

const slow = await startSlowAgent();
const parley = await startParley({
  people: 20,
  agentUrl: `http://127.0.0.1:${slow.address().port}`,
  env: { SHUTDOWN_DELAY_SECONDS: '2', DRAIN_SECONDS: '20' },
});
const keepAlive = new Agent({ keepAlive: true, maxSockets: 400 });
const failures = new Map();
let succeeded = 0;
let turn = 0;

function send(origin, token, text) {
  const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts: [{ kind: 'text', text }] };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    host: new URL(parley.origin).host,
  };
  return new Promise((resolve) => {
    const url = `${origin}/agents/${parley.slug}/a2a/jsonrpc`;
    const call = request(url, { method: 'POST', agent: keepAlive, headers }, async (response) => {
      let text = '';
      try {
        for await (const chunk of response) text += chunk;
        const { result } = JSON.parse(text);
        resolve(response.statusCode === 200 && result ? null : `${response.statusCode} ${text.slice(0, 120)}`);
      } catch (error) {
        resolve(error.message);
      }
    });
    call.on('error', (error) => resolve(error.code ?? error.message));
    call.end(body);
  });
}

const nodes = [{ origin: parley.origin, pid: parley.pid, ready: true }];
nodes.push({ ...(await parley.another()), ready: true });

async function poll(node) {
  const response = await fetch(`${node.origin}/readyz`, { signal: AbortSignal.timeout(1_500) }).catch(() => null);
  node.ready = response?.status === 200;
}

async function call(tokens, number) {
  const ready = nodes.filter((node) => node.ready);
  const node = ready[turn++ % ready.length];
  const failure = node
    ? await send(node.origin, tokens[number % tokens.length], number % 4 === 0 ? 'slow' : 'quick')
    : 'no node';
  if (failure === null) succeeded += 1;
  else failures.set(failure, (failures.get(failure) ?? 0) + 1);
}

const hasExited = (pid) => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

try {
  const tokens = await parley.tokens();
  const polling = setInterval(() => nodes.forEach(poll), 200);
  const calls = [];
  const calling = setInterval(() => calls.push(call(tokens, calls.length)), 1_000 / perSecond);
  for (let round = 0; round < restarts; round++) {
    await wait(3_000);
    const [old] = nodes;
    const startedAt = performance.now();
    process.kill(old.pid, 'SIGTERM');
    while (!hasExited(old.pid)) await wait(50);
    console.log(`restart ${round + 1}: exited after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    nodes.splice(0, 1);
    nodes.push({ ...(await parley.another()), ready: true });
  }
  clearInterval(calling);
  await Promise.all(calls);
  clearInterval(polling);
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  for (const [reason, count] of failures) console.log(`${count} × ${reason}`);
  console.log(
    `rolling restart: ${restarts} restarts, ${calls.length} calls, ${succeeded} succeeded, ${failed} failed; goal 0`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  keepAlive.destroy();
  slow.close();
  await parley.stop();
}
