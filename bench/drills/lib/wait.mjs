/** @param {number} ms */
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Waits until `condition` holds.
 *
 * @param {() => boolean | Promise<boolean>} condition errors count as false
 * @param {{ withinMs: number, what: string, everyMs?: number }} limits
 * @returns {Promise<number>} milliseconds waited
 */
export async function until(condition, { withinMs, what, everyMs = 100 }) {
  const startedAt = performance.now();
  for (;;) {
    const holds = await Promise.resolve()
      .then(condition)
      .catch(() => false);
    const waited = performance.now() - startedAt;
    if (holds) return waited;
    if (waited > withinMs) throw new Error(`waited ${Math.round(waited / 1_000)} s for ${what}`);
    await wait(everyMs);
  }
}
