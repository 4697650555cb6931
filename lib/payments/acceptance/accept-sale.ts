import { authorize } from '../../identity';
import { appendAudit, saleAccepted } from '../../observability';
import type { Call } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { wakeWork } from '../../platform/runtime/activity';
import { failpoint } from '../../platform/runtime/failpoint';
import type { AcceptanceRecord } from '../record';
import type { AcceptanceView, AcceptSale } from '../schema-disputes';
import { findOwnAcceptance, setAccepted } from '../store/earnings/acceptance-rows';
import { lockEarning, setHold } from '../store/earnings/earning-rows';
import { acceptanceStateOf, toAcceptanceView } from './acceptance-rules';

/**
 * Accepts the result of a sale that the user paid. The seller's money is then no longer held for it; other holds stay.
 * Does nothing if it is accepted already.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` (also for other buyers' sales, and without
 *   acceptance terms); `conflict` if the sale is disputed, a dispute of it has a result, or all of it was refunded
 */
export async function acceptSale({ ctx, input }: Call<AcceptSale>): Promise<AcceptanceView> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const sale = { saleKind: input.kind, saleId: input.saleId };
  const accepted = await inTransaction(async (tx) => {
    // The earning orders this with disputes, refunds and other nodes.
    const earning = await lockEarning(tx, input.kind, input.saleId);
    const found = await findOwnAcceptance(tx, userId, sale);
    if (!earning || !found) throw new ParleyError('not_found', 'Nothing that you paid and can accept has this ID.');
    if (!requireAcceptable(found, ctx.now)) return found;
    await setAccepted(tx, sale, ctx.now);
    if (earning.hold === 'acceptance' && earning.releasedAt === null) {
      const { priorHold: hold, priorAvailableAt: availableAt } = found;
      await setHold(tx, { ...earning, hold, availableAt });
    }
    await appendAudit(tx, saleAccepted(ctx, { userId, id: input.saleId }));
    return { ...found, acceptedAt: ctx.now };
  });
  failpoint('acceptance.accepted');
  wakeWork('acceptance.emails');
  wakeWork('payments.earnings');
  return toAcceptanceView(accepted, ctx.now);
}

/** Returns true if a result awaits its buyer's answer, and false if it is accepted. Throws `conflict` otherwise. */
function requireAcceptable(found: AcceptanceRecord, now: Date): boolean {
  switch (acceptanceStateOf(found, now)) {
    case 'awaiting':
      return true;
    case 'accepted':
    case 'accepted_by_itself':
      return false;
    case 'disputed':
      throw conflict('You dispute this sale. Withdraw the dispute first.', found);
    case 'settled':
      throw conflict('A dispute of this sale has ended with a result, so there is nothing to accept.', found);
    case 'refunded':
      throw conflict('All of this was refunded, so there is nothing to accept.', found);
  }
}

function conflict(text: string, { disputeId }: AcceptanceRecord): ParleyError {
  return new ParleyError('conflict', text, { data: disputeId === null ? {} : { dispute: disputeId } });
}
