import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { sha256 } from '../../platform/crypto';
import { shared } from '../../platform/registry';
import { pool } from '../../platform/sql';

interface Window {
  name: string;
  most: number;
  seconds: number;
}

function limiterOf({ name, most, seconds }: Window): RateLimiterPostgres {
  return shared(
    `attempts:${name}`,
    () =>
      new RateLimiterPostgres({
        storeClient: pool(),
        storeType: 'pool',
        tableName: 'limit_attempt',
        tableCreated: true,
        keyPrefix: name,
        points: most,
        duration: seconds,
        // Who goes on after a refusal is refused from memory.
        inMemoryBlockOnConsumed: most + 1,
      }),
  );
}

/** Counts an attempt; answers the seconds until the next may come when this one is too many, else null. */
export async function countAttempt(window: Window, key: string): Promise<number | null> {
  try {
    await limiterOf(window).consume(sha256(key));
    return null;
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return refused.msBeforeNext / 1_000;
    throw refused;
  }
}

/** Takes one counted attempt back. */
export async function uncountAttempt(window: Window, key: string): Promise<void> {
  await limiterOf(window).reward(sha256(key));
}
