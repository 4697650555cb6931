import { Agent } from 'node:http';
import { isAlive } from './processes.mjs';
import { wait } from './wait.mjs';

const POLL_MS = 200;
const POLL_TIMEOUT_MS = 1_500;
/** Maximum number of consecutive polls without a response before a node counts as not ready; like `fall` in HAProxy. */
const MAX_UNANSWERED = 3;

/**
 * Starts a load balancer: it polls `/readyz` of each node five times a second, selects the ready nodes in turn and
 * keeps its connections open. If no node is ready, it selects from all nodes, so that every request is sent and its
 * failure counted.
 *
 * @param {{ pid: number, origin: string }[]} initial
 */
export function startBalancer(initial) {
  const nodes = initial.map(joining);
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 1_000 });
  let turn = 0;
  const poll = async (node) => {
    const signal = AbortSignal.timeout(POLL_TIMEOUT_MS);
    const response = await fetch(`${node.origin}/readyz`, { signal }).catch(() => null);
    node.unanswered = response ? 0 : node.unanswered + 1;
    if (response) node.isReady = response.status === 200;
    else if (node.unanswered >= MAX_UNANSWERED) node.isReady = false;
  };
  const timer = setInterval(() => nodes.forEach(poll), POLL_MS);
  const origins = () => {
    const ready = nodes.filter(({ isReady }) => isReady);
    return (ready.length > 0 ? ready : nodes).map(({ origin }) => origin);
  };
  return {
    keepAlive,
    origins,
    pick() {
      const chosen = origins();
      return chosen[turn++ % chosen.length];
    },
    /**
     * Shuts down the oldest node, waits for its exit and adds the node that `start` starts; returns the milliseconds
     * until the exit.
     */
    async replaceOldest(start) {
      const [{ pid }] = nodes;
      const startedAt = performance.now();
      process.kill(pid, 'SIGTERM');
      while (isAlive(pid)) await wait(50);
      nodes.shift();
      const ms = performance.now() - startedAt;
      nodes.push(joining(await start()));
      return ms;
    },
    stop() {
      clearInterval(timer);
      keepAlive.destroy();
    },
  };
}

const joining = (node) => ({ ...node, isReady: true, unanswered: 0 });
