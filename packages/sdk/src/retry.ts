import { ParleyError } from './errors.js';

/** A retry of a request that Parley was too busy to serve. */
export interface Retry {
  error: ParleyError;
  waitMs: number;
}

export interface RetryOptions {
  /** Maximum number of retries. */
  maxRetries: number;
  signal?: AbortSignal | null;
  /** Called before each wait. */
  onRetry?: (retry: Retry) => void;
}

export const MAX_RETRIES = 3;
/** Maximum `Retry-After`; with a longer one, the error is thrown immediately. */
const MAX_RETRY_AFTER_SECONDS = 30;
/** Delays exceed `Retry-After` by up to this share, so that clients do not return simultaneously. */
const JITTER = 0.5;
/** Statuses of a rate limit, and of an overload or restart. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);

/** The code of an agent's own rejection; with `Retry-After`, the agent has not processed the message. */
const AGENT_REJECTED = 'invalid_agent_response';

/**
 * Repeats a request that Parley or the agent rejects with 429 or 503, after the time in `Retry-After`. Only for
 * idempotent requests.
 * @throws {ParleyError} the last rejection, or any other error; the signal's reason as soon as it aborts
 */
export async function retryWhenBusy<Result>(send: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ParleyError) || !isBusy(error) || retries >= options.maxRetries) throw error;
      const waitMs = (error.retryAfter ?? 0) * 1_000 * (1 + Math.random() * JITTER);
      options.onRetry?.({ error, waitMs });
      await pause(waitMs, options.signal);
    }
  }
}

function isBusy({ status, code, retryAfter }: ParleyError): boolean {
  const isRejected = BUSY.has(status ?? 0) || (status === 200 && code === AGENT_REJECTED);
  return isRejected && retryAfter !== null && retryAfter >= 0 && retryAfter <= MAX_RETRY_AFTER_SECONDS;
}

/** Waits. @throws the signal's reason as soon as it aborts */
export function pause(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(finish, milliseconds);
    signal?.addEventListener('abort', finish, { once: true });
    function finish(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    }
  });
}
