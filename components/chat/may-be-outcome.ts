import type { Part } from '../../lib/protocol/a2a/core/model';

/**
 * True for a message that the composer cannot produce: Parley sent it in the user's name, most likely about a payment.
 */
export function mayBeOutcome(parts: readonly Part[]): boolean {
  return (
    parts.length > 0 &&
    parts.every(
      (part) => part.kind === 'data' || (part.kind === 'text' && part.metadata?.['parley.outcome'] !== undefined),
    )
  );
}
