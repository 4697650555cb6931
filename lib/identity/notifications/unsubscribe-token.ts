import { equalInConstantTime, hmac } from '../../platform/crypto';
import { env } from '../../platform/env';
import { NOTICE_KINDS, type NoticeKind } from '../schema';

const purpose = 'unsubscribe';

/** Whose mails of which kind a link ends. */
export interface Subscription {
  userId: string;
  kind: NoticeKind;
}

/** What stands in the link of a mail: it needs no row and never expires, for mails are kept for years. */
export function makeUnsubscribeToken({ userId, kind }: Subscription): string {
  const said = `${userId}.${kind}`;
  return `${said}.${hmac(purpose, said)}`;
}

/** Null for anything that we did not make. */
export function readUnsubscribeToken(token: string): Subscription | null {
  const [userId = '', named = '', signature = ''] = token.split('.');
  const kind = NOTICE_KINDS.find((known) => known === named);
  return kind && equalInConstantTime(signature, hmac(purpose, `${userId}.${kind}`)) ? { userId, kind } : null;
}

/** The page that asks for one click: programs that look at links in mails only read it. */
export function unsubscribePage(token: string): string {
  return `${env().APP_URL}/unsubscribe?token=${token}`;
}

/** The address that a mail program posts to (RFC 8058 §3.1); read, it leads to the page. */
export function unsubscribeAddress(token: string): string {
  return `${env().APP_URL}/api/notifications/unsubscribe?token=${token}`;
}
