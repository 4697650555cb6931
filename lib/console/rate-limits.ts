import { acquireSlot, type ConcurrencyRule, type TokenBucketRule } from '../limits';
import { ParleyError } from '../platform/errors';

/** Maximum runs of the checks per user: each sends up to 150 requests to an agent, which may cost its owner money. */
export const CHECKS_LIMIT: TokenBucketRule = {
  name: 'agent checks',
  burst: 20,
  perMinute: 4,
  onDatabaseDown: 'refuse',
};

/** Maximum concurrent runs of the checks per user. */
const checkSlots: ConcurrencyRule = { name: 'agent checks', max: 2 };
/** Time after which a refused run may be tried again, seconds. */
const SLOT_RETRY_AFTER_SECONDS = 10;

/**
 * Acquires one of the user's slots for a run of the checks. Returns the function that releases it.
 * @throws {ParleyError} `rate_limited`
 */
export async function acquireCheckSlot(userId: string): Promise<() => void> {
  const release = await acquireSlot(checkSlots, userId);
  if (release) return release;
  const text = `${checkSlots.max} of your tests are running. Wait until one has ended.`;
  throw new ParleyError('rate_limited', text, { retryAfter: SLOT_RETRY_AFTER_SECONDS });
}
