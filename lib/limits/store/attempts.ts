import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { sha256 } from '../../platform/crypto';
import { processSingleton } from '../../platform/singleton';
import { pool } from '../../platform/sql';

interface FixedWindow {
  name: string;
  max: number;
  windowSeconds: number;
}

function limiterOf({ name, max: most, windowSeconds: seconds }: FixedWindow): RateLimiterPostgres {
  return processSingleton(
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
export async function incrementAttempts(window: FixedWindow, key: string): Promise<number | null> {
  try {
    await limiterOf(window).consume(sha256(key));
    return null;
  } catch (error) {
    if (error instanceof RateLimiterRes) return error.msBeforeNext / 1_000;
    throw error;
  }
}

/** Takes one counted attempt back. */
export async function decrementAttempts(window: FixedWindow, key: string): Promise<void> {
  await limiterOf(window).reward(sha256(key));
}
