import type { NotificationKind } from '../schema';
import { readUnsubscribeToken } from './unsubscribe-token';

/** The kind of mail that a link from one of our mails ends; null for a link that is not ours. Open to whoever has it. */
export function describeUnsubscription(token: string): { kind: NotificationKind } | null {
  const read = readUnsubscribeToken(token);
  return read && { kind: read.kind };
}
