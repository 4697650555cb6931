import { createSecureContext, TLSSocket } from 'node:tls';
import { completedTask, openStream, sendJson } from './scripted-agent.mjs';

const ids = (rpc) => ({ taskId: `t-${rpc.params.message.messageId}`, contextId: 'c' });

/** Opens a stream with a task and the first piece of its artifact. */
function begin(call) {
  const send = openStream(call);
  const { result } = completedTask(call.rpc);
  send({ ...result, status: { state: 'working' }, artifacts: [] });
  const artifact = { artifactId: 'a', parts: [{ kind: 'text', text: 'partial' }] };
  send({ kind: 'artifact-update', ...ids(call.rpc), artifact, append: false });
  return send;
}

/** Runs after the pieces have left this process. */
const soon = (work) => setTimeout(work, 200);

/**
 * Misbehaviors of agents in response to a message. `partial`: the caller has already received the first piece.
 * `isAlive`: the agent responds to `tasks/get` with the unfinished task. `codes`: the errors that Parley may return.
 * `tls`: the agent is called over TLS; `connect` handles new connections instead, so that no message arrives.
 */
export const behaviors = [
  {
    name: 'crashes in mid-stream',
    partial: true,
    codes: ['agent_misbehaved', 'agent_unreachable'],
    respond(call) {
      begin(call);
      soon(() => call.response.socket?.resetAndDestroy());
    },
  },
  {
    name: 'ends the stream without a final state',
    partial: true,
    codes: ['agent_misbehaved', 'agent_unreachable'],
    respond(call) {
      begin(call);
      soon(() => call.response.end());
    },
  },
  {
    name: 'closes its side of the connection only',
    partial: true,
    codes: ['agent_misbehaved', 'agent_unreachable'],
    respond(call) {
      begin(call);
      soon(() => call.response.socket?.end());
    },
  },
  {
    name: 'sends garbage in mid-stream',
    partial: true,
    codes: ['agent_misbehaved', 'agent_unreachable'],
    respond(call) {
      begin(call);
      soon(() => call.response.end('data: {"jsonrpc":"2.0","id":1,"result":{"kind":\n\ndata: \u0000\u0001garbage\n\n'));
    },
  },
  {
    name: 'sends an event of 2 MB',
    partial: true,
    codes: ['agent_misbehaved', 'agent_unreachable'],
    respond(call) {
      const send = begin(call);
      const parts = [{ kind: 'text', text: 'x'.repeat(2 * 1_048_576) }];
      soon(() => {
        send({ kind: 'artifact-update', ...ids(call.rpc), artifact: { artifactId: 'b', parts }, append: false });
        call.response.end();
      });
    },
  },
  {
    name: 'falls silent in mid-stream',
    partial: true,
    codes: ['agent_misbehaved', 'agent_timeout', 'agent_unreachable'],
    respond: (call) => begin(call),
  },
  { name: 'never responds', codes: ['agent_timeout', 'agent_unreachable'], respond: () => undefined },
  {
    name: 'responds with 500',
    codes: ['invalid_agent_response'],
    respond: ({ response }) => response.writeHead(500).end('Internal Server Error'),
  },
  {
    name: 'responds with a page',
    codes: ['invalid_agent_response'],
    respond: ({ response }) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
  },
  {
    name: 'resets the connection',
    codes: ['agent_unreachable'],
    respond: ({ response }) => response.socket?.resetAndDestroy(),
  },
  {
    name: 'responds with an error of JSON-RPC',
    codes: ['invalid_agent_response'],
    respond: ({ rpc, response }) =>
      sendJson(response, { jsonrpc: '2.0', id: rpc.id, error: { code: -32603, message: 'Broken' } }),
  },
  {
    name: 'never ends its task',
    partial: true,
    isAlive: true,
    codes: ['canceled'],
    respond(call) {
      const send = begin(call);
      const timer = setInterval(
        () => send({ kind: 'status-update', ...ids(call.rpc), status: { state: 'working' }, final: false }),
        200,
      );
      call.response.on('close', () => clearInterval(timer));
    },
  },
  {
    name: 'resets the connection in mid-stream over TLS',
    tls: true,
    partial: true,
    codes: ['agent_misbehaved', 'agent_unreachable'],
    respond(call) {
      begin(call);
      soon(() => call.response.socket?.destroy());
    },
  },
  {
    name: 'resets the connection during the TLS handshake',
    tls: true,
    codes: ['agent_unreachable'],
    connect: (socket) => socket.once('data', () => socket.resetAndDestroy()),
  },
  {
    name: 'has a certificate of an unknown authority',
    tls: true,
    codes: ['agent_unreachable'],
    connect(socket, { unknown }) {
      new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(unknown) }).on(
        'error',
        () => undefined,
      );
    },
  },
  {
    name: 'responds in plain text to a TLS handshake',
    tls: true,
    codes: ['agent_unreachable'],
    connect: (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')),
  },
];
