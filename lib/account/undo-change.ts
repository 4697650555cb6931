import {
  consumeChange,
  endSessionsAfterUndo,
  findUndoableChange,
  type GuardChange,
  limitLinkAttempts,
  linkExpired,
  restoreSignIn,
} from '../identity';
import { appendAudit, changeUndone } from '../observability';
import { restorePaymentGuard } from '../payments';
import type { Call, Ctx } from '../platform/context';
import { inTransaction, type Tx } from '../platform/db/tx';
import { revokeUndoneToken } from '../tokens';

/**
 * Undoes a change of a sign-in method or payment guard with the link of its email, once: restores the state before it,
 * and marks later changes of the same setting as undone. Undoing a change of a sign-in method or passkey ends all
 * sessions but that of the caller. No authorization required.
 * @throws {ParleyError} `not_found` for a link that is unknown, used or older than 7 days; `rate_limited`
 */
export async function undoChange({
  ctx,
  input: { token, address },
}: Call<{ token: string; address: string }>): Promise<void> {
  const refundAttempt = await limitLinkAttempts(token, address);
  const change = await findUndoableChange({ ctx, input: { token } });
  if (!change) throw linkExpired();
  await inTransaction(async (tx) => {
    if (!(await consumeChange(tx, change, ctx.now))) throw linkExpired();
    await restore(tx, ctx, change);
    await endSessionsAfterUndo(tx, ctx, change);
    await appendAudit(tx, changeUndone(ctx, change));
  });
  await refundAttempt();
}

async function restore(tx: Tx, ctx: Ctx, change: GuardChange): Promise<void> {
  switch (change.kind) {
    case 'passkey.add':
    case 'passkey.remove':
    case 'password.change':
    case 'password.reset':
    case 'recovery.request':
    case 'recovery.complete':
      return restoreSignIn(tx, change);
    case 'token.create': {
      // In a separate transaction, before this one writes to the audit log.
      const { id } = change.before as { id: string };
      return revokeUndoneToken({ ctx, input: { id, userId: change.userId } });
    }
    default:
      return restorePaymentGuard(tx, { ...change, kind: change.kind }, ctx.now);
  }
}
