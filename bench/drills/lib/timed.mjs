/**
 * Repeats `work` without overlap, with a delay between rounds, and measures each round.
 *
 * @param {number} pauseMs
 * @param {() => Promise<boolean>} work resolves to true if the result is correct
 * @returns {{ stop: () => Promise<{ times: number[], wrong: number }> }} milliseconds of each round
 */
export function timed(pauseMs, work) {
  const times = [];
  let wrong = 0;
  let isOver = false;
  const run = async () => {
    while (!isOver) {
      const startedAt = performance.now();
      if (!(await work().catch(() => false))) wrong += 1;
      times.push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const running = run();
  return {
    async stop() {
      isOver = true;
      await running;
      return { times, wrong };
    },
  };
}

/**
 * Returns the rounded value that the share `quantile` of the values does not exceed. @param {number[]} values @param
 * {number} quantile
 */
export function percentile(values, quantile) {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? 0);
}
