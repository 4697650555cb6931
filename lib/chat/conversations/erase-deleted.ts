import { eraseCallContent } from '../../observability';
import { runBatches } from '../../platform/batches';
import { inTransaction } from '../../platform/db/tx';
import { cutoffOf } from '../../platform/runtime/env';
import { eraseContexts } from '../../tasks';
import { ERASE_CONVERSATION_TIMEOUT_MS, IDLE_DELETION_BATCH } from '../limits';
import { claimErasable, deleteIdleConversations, eraseConversation } from '../store/deleted-conversations';

/**
 * Deletes conversations after the retention time of `chat`, and erases the content of those deleted longer ago than the
 * time of `deleted`: messages, answers, logs, texts for search, links and feedback. Orders and mandates remain. Each
 * conversation is erased in one transaction, on one node.
 */
export async function eraseDeletedConversations(now: Date): Promise<void> {
  const idleSince = cutoffOf('chat', now);
  if (idleSince) {
    await runBatches(IDLE_DELETION_BATCH, (limit) => deleteIdleConversations(idleSince, { now, limit }));
  }
  const deletedBefore = cutoffOf('deleted', now);
  if (deletedBefore) await runBatches(1, () => eraseNext(deletedBefore));
}

/** Returns 0 when there is none left. */
function eraseNext(deletedBefore: Date): Promise<number> {
  return inTransaction(async (tx) => {
    const conversation = await claimErasable(tx, deletedBefore);
    if (!conversation) return 0;
    const { userId, agentId, contextIds } = conversation;
    const tasks = await eraseContexts(tx, { principal: userId, agentId, contextIds });
    await eraseCallContent(tx, tasks);
    await eraseConversation(tx, conversation.id);
    return 1;
  }, ERASE_CONVERSATION_TIMEOUT_MS);
}
