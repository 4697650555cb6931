// Sends prepared requests in turn at a constant rate, regardless of the server's speed, and prints the results as one
// line of JSON. Runs in a separate process. Input: JSON of { origin, texts, rate, seconds }.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { messagesIn } from './raw-http.mjs';

const { origin, texts, rate, seconds } = JSON.parse(readFileSync(0, 'utf8'));
const { hostname, port } = new URL(origin);
const requests = texts.map((text) => Buffer.from(text));
const maxConnections = 1_000;
const result = { offered: 0, sent: 0, answered: 0, statuses: {} };
const idle = [];
let connections = 0;

function open() {
  connections += 1;
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  const client = { socket, isClosed: false };
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    connections -= 1;
    client.isClosed = true;
  });
  socket.on(
    'data',
    messagesIn((head) => {
      const status = head.slice(9, 12);
      result.answered += 1;
      result.statuses[status] = (result.statuses[status] ?? 0) + 1;
      idle.push(client);
    }),
  );
  return client;
}

function sendNext() {
  let client = idle.pop();
  while (client?.isClosed) client = idle.pop();
  client ??= connections < maxConnections ? open() : undefined;
  if (!client) return;
  client.socket.write(requests[result.sent++ % requests.length]);
}

const startedAt = performance.now();
setInterval(() => {
  const due = ((performance.now() - startedAt) / 1_000) * rate;
  for (; result.offered < due; result.offered++) sendNext();
}, 5);
setTimeout(() => process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit()), seconds * 1_000);
