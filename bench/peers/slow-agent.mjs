// An A2A 0.3 agent without streaming that answers message/send immediately, or after 8 s if the text is "slow".
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { cardOf, taskNotFound } from '../lib/card.mjs';

const slowMs = 8_000;
let sends = 0;

const server = createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.method === 'GET') {
    return response.end(JSON.stringify(cardOf({ name: 'Slow', port: server.address().port, streaming: false })));
  }
  let body = '';
  for await (const chunk of request) body += chunk;
  const { id, method, params } = JSON.parse(body);
  if (method !== 'message/send') return response.end(JSON.stringify(taskNotFound(id)));
  if (params.message.parts[0].text === 'slow') await wait(slowMs);
  const parts = [{ kind: 'text', text: 'done' }];
  const result = { kind: 'message', messageId: `m-${++sends}`, role: 'agent', parts };
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
