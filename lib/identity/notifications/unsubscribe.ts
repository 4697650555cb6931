import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { upsertNotificationPreference } from '../store/notification-preferences';
import { isMandatory } from './policy';
import { readUnsubscribeToken } from './unsubscribe-token';

/**
 * Ends mails of one kind, for whoever has the link from such a mail: no sign-in is asked (RFC 8058 §3.2).
 * @throws {ParleyError} `not_found` for a link that is not ours
 */
export async function unsubscribe({ ctx, input }: { ctx: Pick<Ctx, 'now'>; input: { token: string } }): Promise<void> {
  const read = readUnsubscribeToken(input.token);
  if (!read || isMandatory(read.kind)) {
    throw new ParleyError(
      'not_found',
      'This link is not one of ours. Copy it whole, or sign in and open your settings.',
    );
  }
  await upsertNotificationPreference({ ...read, wanted: false }, ctx.now);
}
