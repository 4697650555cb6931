import { connect } from 'node:net';
import { cpuMicros } from './peer.mjs';
import { messagesIn } from './raw-http.mjs';

/**
 * Sends a fixed number of prepared requests over a fixed number of connections, one at a time per connection, and
 * returns the server's cost per request.
 *
 * @param {object} plan
 * @param {{ pid: number, origin: string }} plan.target
 * @param {number} plan.count
 * @param {number} plan.connections
 * @param {(index: number) => { method: string, path: string, headers?: Record<string, string>, body?: string }}
 *   plan.request
 * @param {(body: string) => boolean} plan.isRight if false, the run is aborted: a fast wrong response is not a result
 * @returns {Promise<{ cpu: number, rate: number }>} CPU µs of the server per request; requests per second
 */
export async function load({ target, count, connections, request, isRight }) {
  const { hostname, port, host } = new URL(target.origin);
  const texts = Array.from({ length: count }, (_, index) => textOf(request(index), host));
  const cpuBefore = cpuMicros(target.pid);
  const startedAt = performance.now();
  let next = 0;
  const run = () =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: Number(port), host: hostname, noDelay: true });
      const send = () => {
        if (next < count) return socket.write(texts[next++]);
        socket.destroy();
        resolve();
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('end', () => reject(new Error(`${target.origin} closed a connection`)));
      socket.on(
        'data',
        messagesIn((head, body) => {
          if (head.startsWith('http/1.1 200 ') && isRight(body)) return send();
          reject(new Error(`${target.origin} responded ${head.slice(0, 100)}: ${body.slice(0, 300)}`));
        }),
      );
    });
  await Promise.all(Array.from({ length: connections }, run));
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = (cpuMicros(target.pid) - cpuBefore) / count;
  return { cpu, rate: count / seconds };
}

/**
 * @param {{ method: string, path: string, headers?: Record<string, string>, body?: string }} request
 * @param {string} host
 * @returns {string} the request as HTTP/1.1 text
 */
export function textOf({ method, path, headers = {}, body = '' }, host) {
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
