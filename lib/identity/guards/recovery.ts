import { appendAudit, recoveryChanged, sessionEnded } from '../../observability';
import type { Call, Ctx } from '../../platform/context';
import { inTransaction, lockRowAndReferences, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { sha256 } from '../../platform/secrets/crypto';
import type { JsonObject } from '../../protocol/json';
import { authorize, requireFreshAuth } from '../authorization';
import { isProofChange } from '../change-announcements';
import { RECOVERY_DELAY_MS } from '../limits';
import { limitPasswordAttempts } from '../rate-limits';
import type { PasskeyResponse, RecoveryView } from '../schema-views';
import { closeChanges, type OpenChange } from '../store/guarded-changes';
import {
  deletePasskeys,
  deleteRecovery,
  insertRecovery,
  type PasskeyRecovery,
  restorePasskeys,
  selectDueRecoveries,
  selectRecovery,
  snapshotPasskeys,
} from '../store/passkey-rows';
import { deleteSessionsIn } from '../store/session-rows';
import { restorePasswordHash } from '../store/sign-in-proofs';
import { recordChange } from './changes';
import { proveChange } from './prove-change';

/**
 * Requests the removal of all passkeys of a user who has lost them. Requires a recent sign-in, and takes effect after
 * 24 hours. Until then, an email and a notice on every page announce it, and a passkey or the link in the email cancels
 * it. A repeated request has no effect.
 * @throws {ParleyError} `unauthenticated`, `sign_in_again`; `conflict` if the user has no passkey
 */
export async function requestRecovery({ ctx }: { ctx: Ctx }): Promise<RecoveryView> {
  const { userId } = await requireFreshAuth({ ctx });
  return inTransaction(async (tx) => {
    if ((await snapshotPasskeys(tx, userId)).length === 0) {
      throw new ParleyError('conflict', 'You have no passkeys, so there is nothing to recover.');
    }
    const pending = await selectRecovery(userId, tx);
    if (pending) return toView(pending);
    const dueAt = new Date(ctx.now.getTime() + RECOVERY_DELAY_MS);
    await insertRecovery(tx, { userId, requestedAt: ctx.now, dueAt });
    const kind = 'recovery.request';
    const facts = { of: kind, values: { at: { time: dueAt.toISOString() } } } as const;
    await recordChange(tx, ctx, { userId, kind, subject: 'recovery', facts, before: {} });
    await appendAudit(tx, recoveryChanged(ctx, { userId, change: 'requested' }));
    return toView({ dueAt });
  });
}

/** Returns the time at which all passkeys of the user are removed; null if no recovery is requested. */
export async function findRecovery(userId: string): Promise<RecoveryView | null> {
  const pending = await selectRecovery(userId);
  return pending && toView(pending);
}

/**
 * Cancels the user's request with a passkey.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `passkey_required`, `passkey_refused`; `not_found` without a request
 */
export async function cancelRecovery({
  ctx,
  input: { assertion },
}: Call<{ assertion?: PasskeyResponse }>): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  if (!(await selectRecovery(userId))) throw noRecovery();
  await proveChange(ctx, { guard: 'recovery.cancel', detail: {} }, assertion);
  await inTransaction(async (tx) => {
    if (!(await deleteRecovery(tx, userId))) throw noRecovery();
    await closeChanges(tx, { userId, subject: 'recovery' }, ctx.now);
    await appendAudit(tx, recoveryChanged(ctx, { userId, change: 'canceled' }));
  });
}

/**
 * Removes the passkeys of every user whose request is due, and nothing else. Safe to run concurrently on several nodes.
 */
export async function completeRecoveries(now: Date): Promise<void> {
  for (const userId of await selectDueRecoveries(now)) await inTransaction((tx) => complete(tx, userId, now));
}

async function complete(tx: Tx, userId: string, now: Date): Promise<void> {
  const before = await snapshotPasskeys(tx, userId);
  if (!(await deleteRecovery(tx, userId, now))) return;
  await deletePasskeys(tx, userId);
  await closeChanges(tx, { userId, subject: 'recovery' }, now);
  await recordChange(tx, { now }, { userId, kind: 'recovery.complete', subject: 'passkeys', facts: null, before });
  const ctx = { actor: { kind: 'anonymous' as const }, requestId: newId('req'), now };
  await appendAudit(tx, recoveryChanged(ctx, { userId, change: 'completed' }));
}

function toView({ dueAt }: Pick<PasskeyRecovery, 'dueAt'>): RecoveryView {
  return { dueAt: dueAt.toISOString() };
}

function noRecovery(): ParleyError {
  return new ParleyError('not_found', 'There is no recovery to cancel. It may have been canceled or completed.');
}

/** Counts an attempt to use the link in an email. Returns a function that reverses the count. */
export function limitLinkAttempts(token: string, address: string): Promise<() => Promise<void>> {
  return limitPasswordAttempts(sha256(token), address);
}

/** Restores the passkeys or the password as they were before a change, or cancels a recovery. */
export async function restoreSignIn(tx: Tx, { userId, subject, before }: OpenChange): Promise<void> {
  await lockRowAndReferences(tx, 'user', { id: userId });
  if (subject === 'passkeys') await restorePasskeys(tx, userId, before as JsonObject[]);
  else if (subject === 'recovery') await deleteRecovery(tx, userId);
  else await restorePasswordHash(tx, userId, (before as { hash: string | null }).hash);
}

/**
 * Ends all sessions of the user after a change of a sign-in method or passkey was undone, except the caller's own
 * session.
 */
export async function endSessionsAfterUndo(tx: Tx, ctx: Ctx, { userId, kind }: OpenChange): Promise<void> {
  if (!isProofChange(kind)) return;
  const { actor } = ctx;
  const exceptId = actor.kind === 'user' && actor.userId === userId ? actor.credential.id : null;
  await deleteSessionsIn(tx, { userId, exceptId }, sessionEnded(ctx, { userId, why: 'undone' }));
}
