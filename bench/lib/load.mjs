import { Pool } from 'undici';
import { cpuMicros } from './peer.mjs';

/**
 * Sends a fixed number of requests over a fixed number of connections, each as soon as the last one was answered, and
 * says what one of them cost the server.
 *
 * @param {object} plan
 * @param {{ pid: number, origin: string }} plan.target
 * @param {number} plan.count
 * @param {number} plan.connections
 * @param {(index: number) => import('undici').Dispatcher.RequestOptions} plan.request
 * @param {(body: string) => boolean} plan.isRight false stops the run: a fast wrong answer is no result
 * @returns {Promise<{ cpu: number, rate: number }>} CPU µs of the server per request; requests per second
 */
export async function load({ target, count, connections, request, isRight }) {
  const pool = new Pool(target.origin, { connections });
  const cpuBefore = cpuMicros(target.pid);
  const startedAt = performance.now();
  let next = 0;
  async function send() {
    while (next < count) {
      const { statusCode, body } = await pool.request(request(next++));
      const text = await body.text();
      if (statusCode !== 200 || !isRight(text))
        throw new Error(`${target.origin} answered ${statusCode}: ${text.slice(0, 300)}`);
    }
  }
  await Promise.all(Array.from({ length: connections }, send));
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = (cpuMicros(target.pid) - cpuBefore) / count;
  await pool.close();
  return { cpu, rate: count / seconds };
}
