import { eraseOwner, erasePublisher, readOwnAgents, withdrawAllAgents } from '../catalog';
import { eraseConversations } from '../chat';
import { eraseCollections, eraseTaskDays } from '../discovery';
import { eraseTurns } from '../hosts';
import { authorize, deleteUser, findUser, proveChange, reauthenticate, sendMail } from '../identity';
import type { PasskeyResponse } from '../identity/schema-views';
import { eraseModeration, selectTakenDown } from '../moderation';
import { accountDeleted, appendAudit, deleteAuditClients } from '../observability';
import { assertNoPendingMoney, eraseMerchants, erasePayments } from '../payments';
import type { Call } from '../platform/context';
import { deleteOwners } from '../platform/db/task-databases/owner-directory';
import { inTransaction, type Tx, withRowsOf } from '../platform/db/tx';
import { env } from '../platform/runtime/env';
import { errorFields, log } from '../platform/runtime/log';
import type { Retention } from '../platform/schema-retention';
import { eraseReviews } from '../reviews';
import { cancelOpenTasks, eraseTasks } from '../tasks';
import { type MailText, type Translation, translationFor } from '../texts/sent-texts';
import { eraseCredentials, listApps, revokeConnectionsOfClient } from '../tokens';
import { ERASE_TIMEOUT_MS } from './limits';

/**
 * Permanently deletes the user's account after re-authentication. First withdraws their agents and cancels their tasks,
 * which a retry repeats; then erases all data in one transaction. The remaining data does not identify the user: the
 * audit log with only ids, the names and cards of agents in other users' conversations, and payment evidence.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `invalid_request` at the member that does not match,
 * `sign_in_again`, `passkey_required`, `passkey_refused`, `rate_limited`; `conflict` while money is held or in transit,
 * or real money is in the wallet
 */
export async function deleteAccount({
  ctx,
  input,
}: Call<{ email: string; password: string; address: string; assertion?: PasskeyResponse }>): Promise<void> {
  authorize(ctx.actor, 'session');
  const { userId, email } = await reauthenticate({ ctx, input });
  await proveChange(ctx, { guard: 'account.delete', detail: { email } }, input.assertion);
  const texts = translationFor((await findUser(userId))?.locale ?? null);
  await assertNoPendingMoney(userId);
  const apps = await listApps({ ctx });
  const agentIds: string[] = [];
  for await (const { id } of readOwnAgents({ ctx })) agentIds.push(id);
  const principals = [userId, ...apps.map(({ id }) => id)];
  await withdrawAllAgents({ ctx });
  await cancelOpenTasks({ ctx, principals });
  const erasedClientIds = await inTransaction(async (tx) => {
    // A concurrent second deletion finds no user.
    if (!(await deleteUser(tx, { id: userId, email }))) return null;
    await eraseCollections(tx, userId);
    await assertNoPendingMoney(userId, tx);
    await erasePayments(tx, userId, ctx.now);
    await eraseMerchants(tx, agentIds);
    const { clientIds } = await eraseCredentials(tx, userId);
    await eraseOwner(tx, { id: userId, email, takenDown: await selectTakenDown(tx, agentIds) });
    await erasePublisher(tx, userId);
    await eraseReviews(tx, userId);
    await eraseModeration(tx, userId);
    await deleteAuditClients(tx, userId);
    // Late, because rows in other databases are committed first; a retry repeats it if this transaction then fails.
    // Not after the entry of the audit log, which locks the log.
    for (const principal of principals) await withRowsOf(tx, principal, (own) => eraseRowsOf(own, principal));
    await deleteOwners(tx, principals);
    await appendAudit(tx, accountDeleted(ctx, { userId }));
    return clientIds;
  }, ERASE_TIMEOUT_MS);
  for (const clientId of erasedClientIds ?? []) {
    await revokeConnectionsOfClient({ ctx, input: { clientId } });
  }
  if (!erasedClientIds) return;
  await sendMail({ ...accountDeletedText(texts, ctx.now), to: email, locale: texts.locale }, ctx.now).catch((error) =>
    // The account is deleted even if the mail server is unavailable.
    log.error('account.deletion_email_failed', errorFields(error)),
  );
}

/** Erases the tasks and conversations of the user or of one of their apps. */
async function eraseRowsOf(tx: Tx, principal: string): Promise<void> {
  await eraseTasks(tx, [principal]);
  await eraseTaskDays(tx, [principal]);
  await eraseConversations(tx, principal);
  await eraseTurns(tx, principal);
}

/** Returns the email that confirms the deletion: its time, and the data that remains stored. */
function accountDeletedText({ mail }: Translation, now: Date): MailText {
  const at = now.toISOString();
  return mail('accountDeleted', { date: { day: at.slice(0, 10) }, time: at.slice(11, 16), link: env().APP_URL });
}

/** Returns the retention time of each kind of data, days; null for no limit. */
export function getRetention(): Retention {
  return env().RETENTION_DAYS;
}
