// An agent in A2A 0.3 that answers every message at once with a finished task. For Portkey, which speaks no A2A, the same
// answer is dressed as a chat completion. What it costs itself is not measured; it stands behind every target alike.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { cardOf, taskNotFound } from '../lib/card.mjs';

function task({ id, method, params }) {
  if (method !== 'message/send') return taskNotFound(id);
  const parts = [{ kind: 'text', text: params.message.parts[0].text }];
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

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.method === 'GET')
    return response.end(JSON.stringify(cardOf({ name: 'Unary', port: server.address().port, streaming: false })));
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString());
    response.end(JSON.stringify(request.url.endsWith('/chat/completions') ? completion(body) : task(body)));
  });
});
// Longer than a round of any other target takes: who keeps its connections must find them open.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
