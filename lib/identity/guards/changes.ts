import type { Ctx } from '../../platform/context';
import { afterCommit, type Tx } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import { errorFields, log } from '../../platform/runtime/log';
import { newSecret, sha256 } from '../../platform/secrets/crypto';
import type { OfferedLocale } from '../../texts/languages';
import { translationFor } from '../../texts/sent-texts';
import { CHANGE_EMAIL_RETRY_MS, UNDO_LINK_MS } from '../limits';
import { describeDetail, detailText, guardedChangeEmail } from '../mail/emails';
import { sendMail } from '../mail/mail';
import {
  claimUnsent,
  deleteOldChanges,
  insertChange,
  markEmailed,
  type NewChange,
  type OpenChange,
  selectOpenChange,
} from '../store/guarded-changes';

/**
 * Records a change of a sign-in method or payment guard in the transaction that makes it. After the commit, the user
 * receives an email with a link that undoes the change within 7 days, or with a link to the settings if the change has
 * no previous state.
 */
export async function recordChange(tx: Tx, { now }: Pick<Ctx, 'now'>, change: NewChange): Promise<void> {
  const detail = change.facts ? detailText(translationFor('en'), change.facts) : '';
  await insertChange(tx, { ...change, id: newId('chg'), detail, createdAt: now });
  afterCommit(tx, () => {
    announceChanges(now).catch((error: unknown) => log.error('guards.email_failed', errorFields(error)));
  });
}

/** Sends the emails of recorded changes that no node has sent yet, and deletes changes whose link has expired. */
export async function announceChanges(now: Date): Promise<void> {
  await deleteOldChanges(new Date(now.getTime() - UNDO_LINK_MS));
  for (;;) {
    const token = newSecret('');
    const before = new Date(now.getTime() - CHANGE_EMAIL_RETRY_MS);
    const change = await claimUnsent({ undoHash: sha256(token), now, before });
    if (!change) return;
    // At an unverified address, the recipient may be another person.
    const canUndo = change.isUndoable && change.isEmailVerified;
    await sendMail(guardedChangeEmail(change, canUndo ? token : null), now);
    await markEmailed(change.id, now);
  }
}

/**
 * Returns the change that the link in an email undoes, with its details in a language; null if the change is unknown,
 * undone or older than 7 days.
 */
export async function findUndoableChange({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'now'>;
  input: { token: string; locale?: OfferedLocale };
}): Promise<OpenChange | null> {
  const change = await selectOpenChange(sha256(input.token), new Date(ctx.now.getTime() - UNDO_LINK_MS));
  return change && { ...change, detail: describeDetail(change, input.locale ?? 'en') };
}
