// An A2A 0.3 agent that responds to every message immediately with a completed task. For Portkey, which does not
// support A2A, the response is a chat completion. Its own cost is not measured, but kept low; every target uses it.
// Argument: number of additional data parts per response, which make a message more expensive for Parley (0).
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { cardOf, taskNotFound } from '../lib/card.mjs';
import { messagesIn } from '../lib/raw-http.mjs';

const extraParts = Array.from({ length: Number(process.argv[2] ?? 0) }, (_, index) => ({
  kind: 'data',
  data: { index, name: `Part ${index}`, tags: ['a', 'b', 'c'], price: { currency: 'EUR', minor: index } },
}));

function task({ id, method, params }) {
  if (method !== 'message/send') return taskNotFound(id);
  const parts = [{ kind: 'text', text: params.message.parts[0].text }, ...extraParts];
  const artifacts = [{ artifactId: 'a', parts }];
  const result = { kind: 'task', id: randomUUID(), contextId: 'c', status: { state: 'completed' }, artifacts };
  return { jsonrpc: '2.0', id, result };
}

function completion({ messages }) {
  const message = { role: 'assistant', content: messages[0].content };
  return {
    id: randomUUID(),
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

function responseTo(head, text) {
  if (head.startsWith('get')) return cardOf({ name: 'Unary', port: server.address().port, streaming: false });
  const body = JSON.parse(text);
  return head.slice(0, head.indexOf('\r\n')).includes('/chat/completions') ? completion(body) : task(body);
}

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy());
  socket.on(
    'data',
    messagesIn((head, text) => {
      const body = JSON.stringify(responseTo(head, text));
      const length = Buffer.byteLength(body);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`);
    }),
  );
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
