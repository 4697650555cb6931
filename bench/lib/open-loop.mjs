// Sends requests at a constant rate, regardless of the server's speed (open loop), and prints the results as one line
// of JSON. Runs in a separate process. Input: JSON of { origin, path, tokens, rate, seconds, closed }; with `closed` it
// keeps this many requests in flight instead of a rate.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { textOf } from './load.mjs';
import { messageTo } from './message.mjs';
import { messagesIn } from './raw-http.mjs';

const { origin, path, tokens, rate = 0, seconds, closed = 0 } = JSON.parse(readFileSync(0, 'utf8'));
const { hostname, port, host } = new URL(origin);
const maxConnections = 4_000;
const result = { sent: 0, unsent: 0, good: 0, rejected: 0, withoutRetryAfter: 0, failed: 0 };
const times = [];
const idle = [];
let connections = 0;
let isOver = false;

function open() {
  connections += 1;
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  const client = { socket, sentAt: 0 };
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    connections -= 1;
    if (client.sentAt > 0 && !isOver) result.failed += 1;
    client.isClosed = true;
  });
  socket.on(
    'data',
    messagesIn((head, body) => {
      count(client, head, body);
      client.sentAt = 0;
      if (closed > 0 && !isOver) send(client);
      else idle.push(client);
    }),
  );
  return client;
}

function count({ sentAt }, head, body) {
  if (isOver) return;
  const status = Number(head.slice(9, 12));
  if (status === 200 && body.includes('"completed"')) {
    result.good += 1;
    times.push(performance.now() - sentAt);
  } else if (status === 503) {
    result.rejected += 1;
    if (!/\r\nretry-after: [1-9]\d*(?:\r\n|$)/.test(head)) result.withoutRetryAfter += 1;
  } else result.failed += 1;
}

function send(client) {
  result.sent += 1;
  client.sentAt = performance.now();
  const authorization = `Bearer ${tokens[result.sent % tokens.length]}`;
  const headers = { authorization, 'content-type': 'application/json' };
  client.socket.write(textOf({ method: 'POST', path, headers, body: messageTo(result.sent) }, host));
}

function sendNext() {
  let client = idle.pop();
  while (client?.isClosed) client = idle.pop();
  client ??= connections < maxConnections ? open() : undefined;
  if (client) send(client);
  else result.unsent += 1;
}

const startedAt = performance.now();
let due = 0;
const timer = setInterval(() => {
  const target = ((performance.now() - startedAt) / 1_000) * rate;
  for (; due < target; due++) sendNext();
}, 5);
for (let count = 0; count < closed; count++) sendNext();
setTimeout(() => {
  isOver = true;
  clearInterval(timer);
  const elapsed = (performance.now() - startedAt) / 1_000;
  times.sort((a, b) => a - b);
  const p99 = times[Math.floor(times.length * 0.99)] ?? null;
  process.stdout.write(`${JSON.stringify({ ...result, perSecond: result.good / elapsed, p99 })}\n`, () =>
    process.exit(),
  );
}, seconds * 1_000);
