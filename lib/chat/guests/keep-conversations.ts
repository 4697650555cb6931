import { authorize, deleteGuest } from '../../identity';
import type { Call, GuestActor } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { replayPaymentEvents, transferTasks } from '../../tasks';
import { transferConversations } from '../store/conversation-rows';

/**
 * Gives the conversations of the browser's guest, with their tasks and files, to the account that is signed in there,
 * and ends the guest. What an agent offered is then an order that can be paid. Without conversations it does nothing.
 * @throws {ParleyError} `unauthenticated`, `forbidden` without a session
 */
export async function keepGuestConversations({ ctx, input }: Call<{ guest: GuestActor }>): Promise<void> {
  const { userId, credential } = authorize(ctx.actor, 'session');
  const { userId: guestId } = input.guest;
  const contextIds = await inTransaction(async (tx) => {
    if (!(await deleteGuest(tx, guestId))) return [];
    await transferTasks(tx, guestId, { principal: userId, credentialId: credential.id });
    return transferConversations(tx, guestId, userId);
  });
  for (const contextId of contextIds) await replayPaymentEvents({ userId, contextId });
}
