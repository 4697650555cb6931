import { Agent, request as send } from 'node:http';
import { connect } from 'node:net';
import { sourceLibrary } from '../../lib/source-library.mjs';
import { wait } from './wait.mjs';

const EXPORTS = `
export { endpoints } from './lib/endpoints/table';
export { describeRequest, malformedRequests, problemOf } from './tests/fakes/malformed-requests';
export { hostileUrls } from './tests/fakes/hostile-urls';
`;
/** An endless stream is closed. */
const maxMs = 3_000;
const json = { 'content-type': 'application/json' };

/**
 * Requests that no HTTP client writes: request lines, headers, lengths and chunks that parsers interpret differently.
 */
const rawRequests = (host) => [
  '\0\r\n\r\n',
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  `GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: other.example\r\n\r\n`,
  'GET / HTTP/1.1\r\n\r\n',
  `GET /\u0000 HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `GET /${'../'.repeat(50)}etc/passwd HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: ${host}\r\n${'X: y\r\n'.repeat(3_000)}\r\n`,
  `GET / HTTP/1.1\r\nHost : ${host}\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: ${host}\r\nX: a\r\n b\r\n\r\n`,
  `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: -1\r\n\r\n`,
  `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
  `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`,
  `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding:\u000bchunked\r\n\r\n0\r\n\r\n`,
  `CONNECT evil.example:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `TRACE / HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
  `GET /ws/hub HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  `OPTIONS * HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
];

/** Returns tokens with a wrong algorithm, signature, form or size, derived from a valid one. */
function wrongTokens(token) {
  const [header, claims, signature] = token.split('.');
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const read = (part) => JSON.parse(Buffer.from(part, 'base64url').toString());
  return [
    `${encode({ ...read(header), alg: 'none' })}.${claims}.`,
    `${encode({ ...read(header), alg: 'HS256' })}.${claims}.${signature}`,
    `${encode({ ...read(header), kid: '../../x' })}.${claims}.${signature}`,
    `${encode({ ...read(header), jku: 'http://127.0.0.1/' })}.${claims}.${signature}`,
    `${header}.${encode({ ...read(claims), exp: 9e9 })}.${signature}`,
    `${header}.${encode([])}.${signature}`,
    `${header}.${claims}.${signature.slice(0, -4)}`,
    `${header}..${signature}`,
    `${token}.${token}`,
    `${'e'.repeat(8_000)}.${claims}.${signature}`,
  ];
}

/**
 * Generates an endless sequence of bad requests: most with wrong paths, bodies and headers, to all endpoints; some with
 * wrong tokens, with URLs of internal hosts, or not HTTP at all.
 *
 * @param {object} caller as `malformedRequests` takes it
 * @param {number} seed
 */
export async function badRequests(caller, seed) {
  const library = await sourceLibrary('bad-requests', EXPORTS, {});
  const { endpoints, malformedRequests, hostileUrls } = library;
  const malformed = malformedRequests(endpoints, caller, seed);
  const urls = hostileUrls(9);
  const raw = rawRequests(new URL(caller.origin).host);
  const tokens = wrongTokens(caller.agentToken);
  let count = 0;
  const next = () => {
    count += 1;
    const turn = Math.floor(count / 20);
    if (count % 20 === 0) return { raw: raw[turn % raw.length] };
    if (count % 20 === 1) return withToken(caller, tokens[turn % tokens.length], turn);
    if (count % 20 === 2) {
      const headers = { ...json, authorization: `Bearer ${caller.accessToken}` };
      return { method: 'POST', path: '/api/agents', headers, body: JSON.stringify({ url: urls[turn % urls.length] }) };
    }
    return malformed.next().value;
  };
  return { next, problemOf: library.problemOf, describeRequest: library.describeRequest };
}

function withToken({ slug, app }, token, turn) {
  if (turn % 2 === 0) {
    const headers = { authorization: app, 'content-type': 'application/x-www-form-urlencoded' };
    return { method: 'POST', path: '/api/auth/introspect', headers, body: `token=${token}` };
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/list', params: {} });
  return {
    method: 'POST',
    path: `/agents/${slug}/a2a/jsonrpc`,
    headers: { ...json, authorization: `Bearer ${token}` },
    body,
  };
}

/**
 * Sends `count` bad requests at a steady rate.
 *
 * @returns {Promise<{ statuses: Map<number, number>, faults: string[] }>} status 0: closed without a response
 */
export async function sendBad({ origin, bad, count, perSecond }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const statuses = new Map();
  const faults = [];
  const sent = [];
  const exchange = async (request) => {
    const response = await (request.raw ? sendRaw(origin, request.raw) : sendHttp(origin, agent, request));
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    const fault = request.raw ? null : faultOf(bad, request, response);
    if (fault) faults.push(`${fault}: ${bad.describeRequest(request)} -> ${response.text.slice(0, 200)}`);
  };
  const startedAt = performance.now();
  while (sent.length < count) {
    const due = Math.min(count, ((performance.now() - startedAt) / 1_000) * perSecond);
    while (sent.length < due) sent.push(exchange(bad.next()));
    await wait(5);
  }
  await Promise.all(sent);
  agent.destroy();
  return { statuses, faults };
}

/** 502, 503 and 504 are documented; 501 is the ARD response for unsupported operations. */
function faultOf(bad, { method }, response) {
  if (response.status === 0) return 'no response';
  // Documents and scripts contain any word.
  if (response.status < 400) return null;
  return response.status > 500 && response.status < 505 ? null : bad.problemOf(method, response);
}

function sendHttp(origin, agent, request) {
  const { method, path, headers, body, isRepeated } = request;
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const outgoing = send({ agent, hostname, port, method, path, headers }, (response) => {
      const chunks = [];
      const timer = setTimeout(() => response.destroy(), maxMs);
      response.on('error', () => undefined);
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('close', () => {
        clearTimeout(timer);
        const type = response.headers['content-type'] ?? '';
        resolve({ status: response.statusCode, type, text: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on('error', (error) => {
      // The server closed an idle connection at the same moment: any client repeats the request.
      if (outgoing.reusedSocket && !isRepeated) resolve(sendHttp(origin, agent, { ...request, isRepeated: true }));
      else resolve({ status: 0, type: '', text: String(error) });
    });
    outgoing.end(body ?? undefined);
  });
}

function sendRaw(origin, text) {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text, 'latin1'));
    let reply = '';
    const timer = setTimeout(() => socket.destroy(), maxMs);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      reply += chunk.latin1Slice();
      if (reply.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ status: Number(reply.slice(9, 12)), type: '', text: reply });
    });
  });
}
