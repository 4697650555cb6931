// An MCP server on stdin and stdout whose tools misbehave on request. It is written without an SDK, so that it can break the
// protocol. FAKE_MCP: a file
// of JSON with `tools` (more tools), `crashOnStart`, `silent`.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const options = process.env.FAKE_MCP ? JSON.parse(readFileSync(process.env.FAKE_MCP, 'utf8')) : {};
const text = { type: 'object', properties: { text: { type: 'string', title: 'Text' } }, required: ['text'] };
const none = { type: 'object', properties: {} };
let tools = [
  {
    name: 'echo',
    title: 'Echo',
    description: 'Says the text again',
    inputSchema: text,
    annotations: { readOnlyHint: true },
  },
  ...[
    'ask',
    'progress',
    'wait',
    'image',
    'huge',
    'garbage',
    'twice',
    'wrong-id',
    'close',
    'change',
    'fail',
    'sample',
    'env',
    'silent',
    'structured',
    'app',
    'reject',
  ].map((name) => ({
    name,
    description: `Does ${name}`,
    inputSchema: none,
    ...(name === 'app' && { _meta: { ui: { resourceUri: 'ui://fake/app' } } }),
  })),
  ...(options.tools ?? []),
];
if (options.only) tools = tools.filter(({ name }) => options.only.includes(name));

const waiting = new Map();
let nextId = 1_000;
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const say = (id, content, more = {}) => send({ id, result: { content: [].concat(content), ...more } });
const words = (value) => ({ type: 'text', text: value });

/** Sends a request to the client; resolves with its response. */
function request(method, params) {
  nextId += 1;
  const id = nextId;
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

const calls = {
  echo: (id, { text: said }) => say(id, words(`You said: ${said}`)),
  async ask(id) {
    const requestedSchema = {
      type: 'object',
      properties: { city: { type: 'string', title: 'City' } },
      required: ['city'],
    };
    const { result } = await request('elicitation/create', { message: 'Where to?', requestedSchema });
    say(id, words(`${result.action} ${result.content?.city ?? ''}`.trim()));
  },
  progress(id, _args, token) {
    for (const message of ['half', 'half', 'most'])
      send({ method: 'notifications/progress', params: { progressToken: token, progress: 1, total: 2, message } });
    say(id, words('done'));
  },
  wait(id) {
    waiting.set(`call ${id}`, () => say(id, words('too late')));
    process.stderr.write('waiting\n');
  },
  image: (id) =>
    say(id, [
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      { type: 'audio', data: 'not base64!', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///notes/a.txt', mimeType: 'text/plain', text: 'A note' } },
      { type: 'resource_link', uri: 'https://files.example/b.pdf', name: 'b.pdf', mimeType: 'application/pdf' },
      { type: 'resource_link', uri: 'memory://secret', name: 'secret' },
      { type: 'hologram' },
    ]),
  huge: (id) => say(id, words('x'.repeat(64 * 1_048_576))),
  garbage(id) {
    process.stdout.write('Listening on stdio\n\u0000\u0001 {]\nnull\n[1]\n"text"\n');
    say(id, words('after garbage'));
  },
  twice(id) {
    say(id, words('first'));
    say(id, words('second'));
  },
  'wrong-id'(id) {
    say(id + 500, words('for nobody'));
    say(String(id), words('mine'));
  },
  close: () => process.exit(3),
  change(id) {
    tools = [...tools, { name: 'added', description: 'Was added', inputSchema: none }];
    send({ method: 'notifications/tools/list_changed' });
    say(id, words('changed'));
  },
  fail: (id) => say(id, words('The printer is on fire.'), { isError: true }),
  reject: (id) => send({ id, error: { code: -32602, message: 'Invalid arguments for tool' } }),
  async sample(id) {
    const [sampled, roots, unknown, ping] = await Promise.all(
      ['sampling/createMessage', 'roots/list', 'made/up', 'ping'].map((method) => request(method, { messages: [] })),
    );
    say(id, words([sampled, roots, unknown].map(({ error }) => error.code).join(' ') + JSON.stringify(ping.result)));
  },
  env: (id) =>
    say(
      id,
      words(
        JSON.stringify(
          Object.keys(process.env)
            .filter((name) => /PARLEY|FAKE/.test(name) && name !== 'PARLEY_TEST_RUN')
            .sort(),
        ),
      ),
    ),
  silent: () => undefined,
  structured: (id) => say(id, words('{"rows":[1,2]}'), { structuredContent: { rows: [1, 2] } }),
  app: (id) => say(id, words('shown in an app')),
};

function answer({ id, method, params = {} }) {
  if (method === 'initialize') {
    const capabilities = { tools: { listChanged: true }, resources: {} };
    send({
      id,
      result: {
        protocolVersion: '2025-06-18',
        capabilities,
        serverInfo: { name: 'fake', title: 'Fake tools', version: '1.2.3' },
      },
    });
  } else if (method === 'tools/list') {
    const from = Number(params.cursor ?? 0);
    const nextCursor = from + 400 < tools.length ? String(from + 400) : undefined;
    send({ id, result: { tools: tools.slice(from, from + 400), nextCursor } });
  } else if (method === 'resources/read') {
    const _meta = { ui: { csp: { connectDomains: ['https://api.example'] } } };
    send({
      id,
      result: { contents: [{ uri: params.uri, mimeType: 'text/html;profile=mcp-app', text: '<p>App</p>', _meta }] },
    });
  } else if (method === 'tools/call') {
    const call = calls[params.name];
    if (call) void call(id, params.arguments ?? {}, params._meta?.progressToken);
    else say(id, words(`${params.name} ${JSON.stringify(params.arguments)}`));
  } else if (id !== undefined) send({ id, result: {} });
}

if (options.crashOnStart) {
  process.stderr.write('No configuration found\n');
  process.exit(1);
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === 'notifications/cancelled') {
    process.stderr.write(`canceled ${message.params.requestId}\n`);
    waiting.get(`call ${message.params.requestId}`)?.();
  } else if (message.method) options.silent || answer(message);
  else waiting.get(message.id)?.(message);
});
