import { setTimeout as sleep } from 'node:timers/promises';

const slowestPollMs = 100;

/**
 * Waits until `condition` returns something truthy and returns it. Asks less and less often, because asking is work for
 * the servers that the condition waits for.
 * @throws after `timeout` ms (10 s) with `what` was awaited and the condition's last error
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeout = 10_000, pollMs = 20, what }: { timeout?: number; pollMs?: number; what: string },
): Promise<NonNullable<T>> {
  const giveUpAt = Date.now() + timeout;
  let cause: unknown;
  let pauseMs = pollMs;
  do {
    try {
      const found = await condition();
      if (found) return found;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await sleep(pauseMs);
    pauseMs = Math.max(pollMs, Math.min(slowestPollMs, pauseMs * 1.5));
  } while (Date.now() < giveUpAt);
  throw new Error(`Waited ${timeout} ms in vain for ${what}`, { cause });
}
