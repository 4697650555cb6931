import { Agent, request } from 'node:http';
import { wait } from './wait.mjs';

const POLL_MS = 200;
const POLL_TIMEOUT_MS = 1_500;

/**
 * A load balancer: polls `/readyz` of each node five times a second, chooses among the ready ones in turn and keeps its
 * connections open.
 *
 * @param {{ pid: number, origin: string }[]} initial
 */
export function startBalancer(initial) {
  const nodes = initial.map((node) => ({ ...node, isReady: true }));
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 1_000 });
  let turn = 0;
  const poll = async (node) => {
    const signal = AbortSignal.timeout(POLL_TIMEOUT_MS);
    const response = await fetch(`${node.origin}/readyz`, { signal }).catch(() => null);
    node.isReady = response?.status === 200;
  };
  const timer = setInterval(() => nodes.forEach(poll), POLL_MS);
  return {
    nodes,
    keepAlive,
    /** The origin of a ready node. */
    pick() {
      const ready = nodes.filter(({ isReady }) => isReady);
      if (ready.length === 0) throw new Error('no node is ready');
      return ready[turn++ % ready.length].origin;
    },
    /** Shuts the oldest node down, waits for its exit and adds what `start` starts; returns the milliseconds until the exit. */
    async replaceOldest(start) {
      const [{ pid }] = nodes;
      const startedAt = performance.now();
      process.kill(pid, 'SIGTERM');
      while (isAlive(pid)) await wait(50);
      nodes.shift();
      const ms = performance.now() - startedAt;
      nodes.push({ ...(await start()), isReady: true });
      return ms;
    },
    stop() {
      clearInterval(timer);
      keepAlive.destroy();
    },
  };
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Posts JSON over a kept connection.
 *
 * @param {{ agent: Agent, url: string, headers: Record<string, string>, body: object }} call
 * @returns {Promise<{ status: number, text: string }>}
 */
export function postJson({ agent, url, headers, body }) {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers } };
    const sent = request(url, options, async (response) => {
      try {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode, text });
      } catch (error) {
        reject(error);
      }
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}
