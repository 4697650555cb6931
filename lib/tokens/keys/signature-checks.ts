import { type Counter, metrics } from '@opentelemetry/api';
import { ParleyError } from '../../platform/errors';
import { once } from '../../platform/runtime/once';
import { MAX_WAITING_CHECKS, MAX_WAITING_CHECKS_PER_SOURCE, SIGNATURE_CHECKS_PER_TURN } from '../limits';

/**
 * Distributes signature checks, the most expensive part of verifying an unknown token, over turns of the event loop, so
 * that other work is processed in between, such as requests with verified tokens. Sources are served in rotation, so
 * that a flood of forged tokens delays only its own source.
 */
class SignatureChecks {
  private readonly waiting = new Map<string, (() => void)[]>();
  private waitingCount = 0;
  private leftThisTurn = SIGNATURE_CHECKS_PER_TURN;
  private hasTimer = false;

  constructor(private readonly onRefused: () => void) {}

  /**
   * Returns a promise only if the check must wait.
   * @throws {ParleyError} `unavailable` if too many wait
   */
  take(source: string): Promise<void> | undefined {
    this.scheduleTurn();
    if (this.waitingCount === 0 && this.leftThisTurn > 0) {
      this.leftThisTurn -= 1;
      return undefined;
    }
    const queue = this.waiting.get(source) ?? [];
    if (queue.length >= MAX_WAITING_CHECKS_PER_SOURCE || this.waitingCount >= MAX_WAITING_CHECKS) {
      this.onRefused();
      throw tooManyUnknownTokens();
    }
    this.waiting.set(source, queue);
    this.waitingCount += 1;
    return new Promise((resolve) => queue.push(resolve));
  }

  private scheduleTurn(): void {
    if (this.hasTimer) return;
    this.hasTimer = true;
    setImmediate(() => {
      this.hasTimer = false;
      this.beginTurn();
    });
  }

  private beginTurn(): void {
    this.leftThisTurn = SIGNATURE_CHECKS_PER_TURN;
    while (this.leftThisTurn > 0 && this.waitingCount > 0) {
      for (const [source, queue] of this.waiting) {
        queue.shift()?.();
        this.waitingCount -= 1;
        // The source is moved behind the other sources.
        this.waiting.delete(source);
        if (queue.length > 0) this.waiting.set(source, queue);
        break;
      }
      this.leftThisTurn -= 1;
    }
    if (this.waitingCount > 0) this.scheduleTurn();
  }
}

/** A single error object, because during a flood, an error with its stack is as expensive as the check. */
const tooManyUnknownTokens = once((): ParleyError => {
  const text = 'Too many tokens that this server has not seen before. Send the request again after Retry-After.';
  return new ParleyError('unavailable', text, { retryAfter: 1 });
});

interface CountedChecks {
  checks: SignatureChecks;
  counter: Counter;
}

const countedChecks = once((): CountedChecks => {
  const counter = metrics.getMeter('parley').createCounter('token.signature_checks', {
    description: 'Checks of the signature of a token that the node has not seen',
  });
  return { checks: new SignatureChecks(() => counter.add(1, { outcome: 'refused' })), counter };
});

/**
 * Runs a check when its source is next in the rotation. `source` is the credential from which the token claims to be
 * issued.
 * @throws {ParleyError} `unavailable` if too many wait
 */
export async function checkInTurn(source: string, check: () => boolean): Promise<boolean> {
  const { checks, counter } = countedChecks();
  const turn = checks.take(source);
  if (turn) await turn;
  const isValid = check();
  counter.add(1, { outcome: isValid ? 'valid' : 'forged' });
  return isValid;
}
