import type { Call, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { constantTimeEqual, hmac } from '../../platform/secrets/crypto';
import { type MailText, type Translation, translationFor } from '../../texts/sent-texts';
import { authorize } from '../authorization';
import { invalidMember } from '../errors';
import { NOTIFICATION_KINDS, type NotificationKind } from '../schema';
import type { NotificationPreference } from '../schema-views';
import { findUser } from '../sessions/session-cache';
import { selectNotificationPreferences, upsertNotificationPreference } from '../store/notification-preferences';
import { sendMail } from './mail';

/** Kinds that cannot be disabled, because they concern the loss of an account or a listing. */
const MANDATORY_KINDS: readonly NotificationKind[] = ['moderation', 'security'];
const HMAC_PURPOSE = 'unsubscribe';

/** The recipient and the kind of email that an unsubscribe link disables. */
interface Subscription {
  userId: string;
  kind: NotificationKind;
}

/**
 * Emails a user about an event, in their language. Does nothing if the account was deleted or the user disabled this
 * kind of email. Optional kinds have an unsubscribe link and header (RFC 8058).
 * @throws {ParleyError} `unavailable` if the email cannot be sent
 */
export async function notifyPerson({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'now'>;
  input: { userId: string; kind: NotificationKind; mail: (texts: Translation) => MailText };
}): Promise<void> {
  const { userId, kind } = input;
  const user = await findUser(userId);
  if (!user || !isWanted(kind, await selectNotificationPreferences(userId))) return;
  const texts = translationFor(user.locale);
  const mail = { ...input.mail(texts), to: user.email, locale: texts.locale };
  if (isMandatory(kind)) return sendMail(mail, ctx.now);
  const token = signUnsubscribeToken({ userId, kind });
  const links = { link: unsubscribePageUrl(token), settings: `${env().APP_URL}/settings/notifications` };
  const lines = [...mail.lines, '', '-- ', ...texts.lines('mail.unsubscribe', links)];
  await sendMail({ ...mail, lines, unsubscribe: unsubscribeEndpointUrl(token) }, ctx.now);
}

/** Lists every kind of email with its state for the user. */
export async function listNotificationPreferences({ ctx }: { ctx: Ctx }): Promise<NotificationPreference[]> {
  const { userId } = authorize(ctx.actor, 'account');
  const preferences = await selectNotificationPreferences(userId);
  return NOTIFICATION_KINDS.map((kind) => ({ kind, wanted: isWanted(kind, preferences), fixed: isMandatory(kind) }));
}

/**
 * Enables or disables kinds of email. Kinds that are not listed stay unchanged.
 * @throws {ParleyError} `unauthenticated`; `invalid_request` for a kind that cannot be disabled
 */
export async function updateNotificationPreferences({
  ctx,
  input,
}: Call<Partial<Record<NotificationKind, boolean>>>): Promise<void> {
  const { userId } = authorize(ctx.actor, 'account');
  for (const kind of NOTIFICATION_KINDS) {
    if (input[kind] === false && isMandatory(kind)) {
      throw invalidMember(kind, 'found false; emails of this kind cannot be turned off, so omit it');
    }
  }
  for (const kind of NOTIFICATION_KINDS) {
    const wanted = input[kind];
    if (wanted !== undefined && !isMandatory(kind))
      await upsertNotificationPreference({ userId, kind, wanted }, ctx.now);
  }
}

function isMandatory(kind: NotificationKind): boolean {
  return MANDATORY_KINDS.includes(kind);
}

/** Returns true if emails of the kind are sent. Optional kinds are enabled by default. */
function isWanted(kind: NotificationKind, preferences: ReadonlyMap<string, boolean>): boolean {
  return isMandatory(kind) || (preferences.get(kind) ?? true);
}

/**
 * Disables one kind of email with the link from such an email. Requires no sign-in (RFC 8058 §3.2).
 * @throws {ParleyError} `not_found` for an invalid link
 */
export async function unsubscribe({ ctx, input }: { ctx: Pick<Ctx, 'now'>; input: { token: string } }): Promise<void> {
  const read = readUnsubscribeToken(input.token);
  if (!read || isMandatory(read.kind)) {
    throw new ParleyError(
      'not_found',
      'This link is invalid or incomplete. Copy the whole link, or sign in and open your settings.',
    );
  }
  await upsertNotificationPreference({ ...read, wanted: false }, ctx.now);
}

/** Returns the kind of email that an unsubscribe link disables; null for an invalid link. Requires no authorization. */
export function describeUnsubscription(token: string): { kind: NotificationKind } | null {
  const read = readUnsubscribeToken(token);
  return read && { kind: read.kind };
}

/** Returns a signed token. It needs no row and never expires, because emails are kept for years. */
function signUnsubscribeToken({ userId, kind }: Subscription): string {
  const payload = `${userId}.${kind}`;
  return `${payload}.${hmac(HMAC_PURPOSE, payload)}`;
}

function readUnsubscribeToken(token: string): Subscription | null {
  const [userId = '', named = '', signature = ''] = token.split('.');
  const kind = NOTIFICATION_KINDS.find((known) => known === named);
  return kind && constantTimeEqual(signature, hmac(HMAC_PURPOSE, `${userId}.${kind}`)) ? { userId, kind } : null;
}

/** Returns the URL of the page that requires a click, because mail scanners follow links. */
function unsubscribePageUrl(token: string): string {
  return `${env().APP_URL}/unsubscribe?token=${token}`;
}

/** Returns the URL to which mail clients post (RFC 8058 §3.1). A GET redirects to the page. */
function unsubscribeEndpointUrl(token: string): string {
  return `${env().APP_URL}/api/notifications/unsubscribe?token=${token}`;
}
