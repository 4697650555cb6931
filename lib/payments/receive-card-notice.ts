import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { takesCards } from './money-mode';
import { receiveCardEvent } from './receive-card-event';
import { readEvent } from './stripe';

/**
 * Takes a notice as the card processor sent it.
 * @throws {ParleyError} `not_found` without a card processor; `invalid_request` for a signature that is wrong, old or missing
 */
export async function receiveCardNotice({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'now'>;
  input: { raw: string; signature: string };
}): Promise<void> {
  if (!takesCards()) throw new ParleyError('not_found', 'No payments by card are set up here.');
  const event = readEvent(input.raw, input.signature, ctx.now);
  if (typeof event === 'string') {
    throw new ParleyError('invalid_request', 'The signature of this notice is not right.', { data: { fault: event } });
  }
  await receiveCardEvent(event, ctx.now);
}
