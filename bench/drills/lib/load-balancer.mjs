/** How often a node is asked whether it is ready. */
const everyMs = 300;

/**
 * Chooses among the nodes that are ready, as a load balancer does.
 *
 * @param {string[]} nodes origins
 * @returns {{ origins: () => string[], pick: () => string, stop: () => void }}
 */
export function balanceOver(nodes) {
  const ready = new Set(nodes);
  const timer = setInterval(() => {
    for (const node of nodes) {
      fetch(`${node}/readyz`, { signal: AbortSignal.timeout(1_000) })
        .then(({ status }) => (status === 200 ? ready.add(node) : ready.delete(node)))
        .catch(() => ready.delete(node));
    }
  }, everyMs);
  const origins = () => (ready.size > 0 ? [...ready] : nodes);
  return {
    origins,
    pick: () => origins()[Math.floor(Math.random() * origins().length)],
    stop: () => clearInterval(timer),
  };
}
