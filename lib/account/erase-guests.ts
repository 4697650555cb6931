import { eraseConversations, pruneGuestTurns } from '../chat';
import { eraseTaskDays } from '../discovery';
import { deleteGuest, selectExpiredGuests } from '../identity';
import { eraseCallContent } from '../observability';
import { runBatches } from '../platform/batches';
import type { Ctx } from '../platform/context';
import { deleteOwners } from '../platform/db/task-databases/owner-directory';
import { filterReachable } from '../platform/db/task-databases/task-databases';
import { inTransaction, withMainRows, withRowsOf } from '../platform/db/tx';
import { newId } from '../platform/ids';
import { cancelOpenTasks, eraseTasks } from '../tasks';
import { ERASE_TIMEOUT_MS, GUEST_ERASE_BATCH } from './limits';

/**
 * Erases all data of guests whose day is over, except conversations that an account took over: cancels their tasks at
 * the agents, then erases the tasks, conversations, files and logged contents. Also deletes counted messages that no
 * longer affect a limit.
 */
export async function eraseExpiredGuests({ now, signal }: Pick<Ctx, 'now' | 'signal'>): Promise<void> {
  // Guests whose task database is unavailable, who are erased later.
  const skipped: string[] = [];
  await runBatches(GUEST_ERASE_BATCH, async (limit) => {
    const expired = await selectExpiredGuests(now, { except: skipped, limit });
    const ids = await filterReachable(expired);
    skipped.push(...expired.filter((id) => !ids.includes(id)));
    const ctx: Ctx = { actor: { kind: 'anonymous' }, requestId: newId('req'), now, signal };
    await cancelOpenTasks({ ctx, principals: ids });
    for (const id of ids) await eraseGuest(id);
    return expired.length;
  });
  await pruneGuestTurns(now);
}

function eraseGuest(id: string): Promise<void> {
  return inTransaction(async (tx) => {
    // False if an account took over the conversations in the meantime.
    if (!(await deleteGuest(tx, id))) return;
    await withRowsOf(tx, id, async (own) => {
      const tasks = await eraseTasks(own, [id]);
      // Not after the commit, because only these tasks identify the calls.
      await withMainRows(own, (main) => eraseCallContent(main, tasks));
      await eraseTaskDays(own, [id]);
      await eraseConversations(own, id);
    });
    await deleteOwners(tx, [id]);
  }, ERASE_TIMEOUT_MS);
}
