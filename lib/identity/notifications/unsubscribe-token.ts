import { constantTimeEqual, hmac } from '../../platform/crypto';
import { env } from '../../platform/env';
import { NOTIFICATION_KINDS, type NotificationKind } from '../schema';

const purpose = 'unsubscribe';

/** Whose mails of which kind a link ends. */
export interface Subscription {
  userId: string;
  kind: NotificationKind;
}

/** What stands in the link of a mail: it needs no row and never expires, for mails are kept for years. */
export function signUnsubscribeToken({ userId, kind }: Subscription): string {
  const payload = `${userId}.${kind}`;
  return `${payload}.${hmac(purpose, payload)}`;
}

/** Null for anything that we did not make. */
export function readUnsubscribeToken(token: string): Subscription | null {
  const [userId = '', named = '', signature = ''] = token.split('.');
  const kind = NOTIFICATION_KINDS.find((known) => known === named);
  return kind && constantTimeEqual(signature, hmac(purpose, `${userId}.${kind}`)) ? { userId, kind } : null;
}

/** The page that asks for one click: programs that look at links in mails only read it. */
export function unsubscribePageUrl(token: string): string {
  return `${env().APP_URL}/unsubscribe?token=${token}`;
}

/** The address that a mail program posts to (RFC 8058 §3.1); read, it leads to the page. */
export function unsubscribeEndpointUrl(token: string): string {
  return `${env().APP_URL}/api/notifications/unsubscribe?token=${token}`;
}
