import { ParleyError } from '../../platform/errors';
import { claimKey, type IdempotencyKey, releaseKey, saveResponse } from '../store/idempotency-keys';

/** What was answered, and whether that was done for an earlier call under the same key. */
export interface IdempotentResponse {
  status: number;
  body: string;
  replayed: boolean;
}

/**
 * Does `work` once for a key (the rules of ACP's Idempotency-Key): the same call again gets the answer of the first, for a day.
 * What was refused was not done, and may be tried again under its key.
 * @throws {ParleyError} `idempotency_mismatch` for another body under the key, `idempotency_in_flight` while the first is not
 *   answered; what `work` throws
 */
export async function withIdempotencyKey(
  key: IdempotencyKey,
  now: Date,
  work: () => Promise<object>,
): Promise<IdempotentResponse> {
  const known = await claimKey(key, now);
  if (known) return replay(known, key);
  try {
    const body = JSON.stringify(await work());
    await saveResponse(key, { status: 200, body });
    return { status: 200, body, replayed: false };
  } catch (error) {
    await releaseKey(key);
    throw error;
  }
}

function replay(known: NonNullable<Awaited<ReturnType<typeof claimKey>>>, key: IdempotencyKey): IdempotentResponse {
  if (known.bodyHash !== key.bodyHash) {
    const text = 'This Idempotency-Key was used for another approval. Use a new one for a new approval.';
    throw new ParleyError('idempotency_mismatch', text, { data: { reason: 'idempotency_mismatch' } });
  }
  if (known.status === null || known.body === null) {
    const text = 'The first call under this Idempotency-Key is not answered yet. Try again in a moment.';
    throw new ParleyError('idempotency_in_flight', text, { retryAfter: 1 });
  }
  return { status: known.status, body: known.body, replayed: true };
}
