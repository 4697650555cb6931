import { sessionEnded } from '../../observability';
import type { Ctx } from '../../platform/context';
import { lockRowAndReferences, type Tx } from '../../platform/db/tx';
import { sha256 } from '../../platform/secrets/crypto';
import type { JsonObject } from '../../protocol/json';
import { limitPasswordAttempts } from '../rate-limits';
import type { OpenChange } from '../store/guarded-changes';
import { deleteRecovery } from '../store/passkey-recoveries';
import { restorePasskeys } from '../store/passkey-rows';
import { restorePasswordHash } from '../store/password-rows';
import { deleteSessionsIn } from '../store/session-rows';
import { announcements } from './announcements';

/** Counts an attempt with the link of an email; the result refunds it. */
export function limitLinkAttempts(token: string, address: string): Promise<() => Promise<void>> {
  return limitPasswordAttempts(sha256(token), address);
}

/** Restores the passkeys or the password from before a change, or cancels a recovery. */
export async function restoreSignIn(tx: Tx, { userId, subject, before }: OpenChange): Promise<void> {
  await lockRowAndReferences(tx, 'user', { id: userId });
  if (subject === 'passkeys') await restorePasskeys(tx, userId, before as JsonObject[]);
  else if (subject === 'recovery') await deleteRecovery(tx, userId);
  else await restorePasswordHash(tx, userId, (before as { hash: string | null }).hash);
}

/**
 * After a change of a sign-in method or passkey, ends all sessions except that of the caller, if it belongs to the
 * user.
 */
export async function endSessionsAfterUndo(tx: Tx, ctx: Ctx, { userId, kind }: OpenChange): Promise<void> {
  if (!announcements[kind].isProof) return;
  const { actor } = ctx;
  const exceptId = actor.kind === 'user' && actor.userId === userId ? actor.credential.id : null;
  await deleteSessionsIn(tx, { userId, exceptId }, sessionEnded(ctx, { userId, why: 'undone' }));
}
