import { env } from '../../platform/runtime/env';
import type { OfferedLocale } from '../../texts/languages';
import { type MailName, type Translation, translationFor } from '../../texts/sent-texts';
import { isProofChange } from '../change-announcements';
import { withNext } from '../schema';
import type { ChangeDetail, UnsentChange } from '../store/guarded-changes';
import type { Mail } from './mail';

// Emails contain no text that was entered at sign-up; otherwise anyone could use Parley to send messages to any
// address.

/** The recipient of an email that a form requested, and the path to open after sign-in. */
interface Recipient {
  email: string;
  /** The language of the form; null for English. */
  locale: OfferedLocale | null;
  next: string;
}

/** Returns the email that confirms an email address at sign-up. */
export function confirmationEmail(recipient: Recipient, token: string): Mail {
  return linkEmail('confirmation', recipient, link('/confirm', recipient.next, { token }));
}

/** Returns the email for the owner of an account when someone signs up with its email address. */
export function accountExistsEmail(recipient: Recipient): Mail {
  return linkEmail('accountExists', recipient, link('/sign-in', recipient.next));
}

/** Returns the email with the link to set a new password. */
export function passwordResetEmail(recipient: Recipient, token: string): Mail {
  return linkEmail('passwordReset', recipient, link('/reset', recipient.next, { token }));
}

/** Returns the email with the link to sign in. */
export function signInLinkEmail(recipient: Recipient, token: string): Mail {
  return linkEmail('signInLink', recipient, link('/sign-in/link', recipient.next, { token }));
}

/** Returns the email for an account that uses a sign-in provider which never verified the address. */
export function signInElsewhereEmail(recipient: Recipient): Mail {
  return linkEmail('signInElsewhere', recipient, link('/sign-in', recipient.next));
}

/**
 * Returns the email that announces a change of a sign-in method or payment guard. `token` is the token in the link that
 * undoes the change.
 */
export function guardedChangeEmail(change: UnsentChange, token: string | null): Mail {
  const { email, kind, createdAt, locale } = change;
  const { t, lines, locale: language } = translationFor(locale);
  const detail = describeDetail(change, locale);
  const remedy =
    token === null
      ? lines('mail.change.settings', { link: link('/settings', '/') })
      : lines('mail.change.undo', { isProof: String(isProofChange(kind)), link: link('/undo', '/', { token }) });
  return {
    to: email,
    locale: language,
    subject: t(`mail.changes.${kind}.subject`),
    lines: [
      t(`mail.changes.${kind}.summary`),
      ...(detail ? [detail] : []),
      t('mail.change.time', { at: { time: createdAt.toISOString() } }),
      '',
      ...remedy,
    ],
  };
}

/**
 * Returns the details of a change in a language; empty if there are none. A change that an earlier release recorded has
 * them in English only.
 */
export function describeDetail(
  { detail, facts }: { detail: string; facts: ChangeDetail | null },
  locale: string | null,
): string {
  return facts ? detailText(translationFor(locale), facts) : detail;
}

/** Returns the details of a change as a sentence. */
export function detailText({ t }: Translation, { of, values }: ChangeDetail): string {
  return t(`mail.changes.${of}.detail`, values);
}

function linkEmail(name: MailName, { email, locale }: Recipient, url: string): Mail {
  const texts = translationFor(locale);
  return { to: email, locale: texts.locale, ...texts.mail(name, { link: url }) };
}

function link(page: string, next: string, params?: Record<string, string>): string {
  return `${env().APP_URL}${withNext(page, next, params)}`;
}
