import { eraseOwner, erasePublisher, readOwnAgents, withdrawAllAgents } from '../catalog';
import { eraseConversations } from '../chat';
import { eraseCollections } from '../discovery';
import { cancelOpenTasks, eraseTasks } from '../gateway';
import { deleteUser, reauthenticate, sendMail } from '../identity';
import { eraseModeration, selectTakenDown } from '../moderation';
import { accountDeleted, appendAudit, deleteAuditClients } from '../observability';
import { assertNoPendingMoney, eraseMerchants, erasePayments } from '../payments';
import { publishLocally } from '../platform/bus';
import type { Ctx } from '../platform/context';
import { errorFields, log } from '../platform/log';
import { inTransaction } from '../platform/tx';
import { eraseReviews } from '../reviews';
import { eraseCredentials, listApps } from '../tokens';
import { accountDeletedEmail } from './account-deleted-email';
import { requireSession } from './policy';

/** A long history takes its time. */
const eraseTimeoutMs = 60_000;

/**
 * Deletes the person's account for good, once they have typed its address and its password or, where it has none, signed in
 * a moment ago. First their agents are withdrawn and what others do for them is cancelled; both may happen again if it fails
 * half-way. Then all that is theirs goes at once: every session, token and secret is good for nothing, here at once and on
 * other nodes within a second, and a mail tells them. What stays says nothing of who they were: the audit log, whose entries hold ids, name and card
 * of their agents, which others have in their conversations, and what proves payments, under nobody's name.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `invalid_request` at the member that does not match, `sign_in_again`,
 *   `rate_limited`; `conflict` while money of theirs is held or on its way, or real money is in their wallet
 */
export async function deleteAccount({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { email: string; password: string; address: string };
}): Promise<void> {
  requireSession(ctx);
  const { userId, email } = await reauthenticate({ ctx, input });
  await assertNoPendingMoney(userId);
  const apps = await listApps({ ctx });
  const agentIds: string[] = [];
  for await (const { id } of readOwnAgents({ ctx })) agentIds.push(id);
  const principals = [userId, ...apps.map(({ id }) => id)];
  await withdrawAllAgents({ ctx });
  await cancelOpenTasks({ ctx, principals });
  const erasedClientIds = await inTransaction(async (tx) => {
    // Of two deletions at once the second finds nobody.
    if (!(await deleteUser(tx, { id: userId, email }))) return null;
    await eraseTasks(tx, principals);
    await eraseConversations(tx, userId);
    await eraseCollections(tx, userId);
    await assertNoPendingMoney(userId, tx);
    await erasePayments(tx, userId);
    await eraseMerchants(tx, agentIds);
    const { clientIds } = await eraseCredentials(tx, userId);
    await eraseOwner(tx, { id: userId, email, takenDown: await selectTakenDown(tx, agentIds) });
    await erasePublisher(tx, userId);
    await eraseReviews(tx, userId);
    await eraseModeration(tx, userId);
    await deleteAuditClients(tx, userId);
    await appendAudit(tx, accountDeleted(ctx, { userId }));
    return clientIds;
  }, eraseTimeoutMs);
  publishLocally('user', userId);
  for (const clientId of erasedClientIds ?? []) publishLocally('app', clientId);
  if (!erasedClientIds) return;
  await sendMail(accountDeletedEmail(email, ctx.now), ctx.now).catch((error) =>
    // The account is gone whether or not the mail server is there.
    log.error('account.deletion_notice_failed', errorFields(error)),
  );
}
