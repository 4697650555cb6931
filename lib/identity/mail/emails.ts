import { env } from '../../platform/runtime/env';
import { announcements } from '../change-announcements';
import { withNext } from '../schema';
import type { UnsentChange } from '../store/guarded-changes';
import type { Mail } from './mail';

// Emails contain no text that was entered at sign-up; otherwise anyone could use Parley to send messages to any
// address.

/** Confirms an address at sign-up. */
export function confirmationEmail(email: string, token: string, next: string): Mail {
  return {
    to: email,
    subject: 'Confirm your email for Parley',
    lines: [
      'You, or someone else, asked to create a Parley account with this email.',
      '',
      'To confirm, open this link and enter the password you chose:',
      '',
      link('/confirm', next, { token }),
      '',
      'The link works once and expires after 24 hours. If this was not you,',
      'ignore this email. No account is created without this link.',
    ],
  };
}

/** Returns the email for the owner of an account when someone signs up with its address. */
export function accountExistsEmail(email: string, next: string): Mail {
  return {
    to: email,
    subject: 'You already have a Parley account',
    lines: [
      'You, or someone else, asked to create a Parley account with this email.',
      'You already have an account, so nothing was changed. Sign in here:',
      '',
      link('/sign-in', next),
      '',
      'If you have no password, sign in with the provider you used before.',
    ],
  };
}

/** Returns the email with the link to set a new password. */
export function passwordResetEmail(email: string, token: string, next: string): Mail {
  return {
    to: email,
    subject: 'Reset your Parley password',
    lines: [
      'You, or someone else, asked to reset the password of the Parley account',
      'with this email. To set a new password, open this link:',
      '',
      link('/reset', next, { token }),
      '',
      'The link works once and expires after 20 minutes. If this was not you,',
      'ignore this email. Your password will not change.',
    ],
  };
}

/** Returns the email with the link to sign in. */
export function signInLinkEmail(email: string, token: string, next: string): Mail {
  return {
    to: email,
    subject: 'Your Parley sign-in link',
    lines: [
      'You, or someone else, asked to sign in to Parley with this email.',
      'To sign in, open this link and press the button:',
      '',
      link('/sign-in/link', next, { token }),
      '',
      'The link works once and expires after 20 minutes. If this was not you, ignore',
      'this email. Do not share the link: anyone who has it can sign in as you.',
    ],
  };
}

/** Returns the email for an account that uses a sign-in provider which never verified the address. */
export function signInElsewhereEmail(email: string, next: string): Mail {
  return {
    to: email,
    subject: 'How you sign in to Parley',
    lines: [
      'You, or someone else, asked for a sign-in link for the Parley account with this',
      'email. We cannot send one, because the email of this account was never',
      'confirmed. Sign in the way you did before:',
      '',
      link('/sign-in', next),
    ],
  };
}

/** Announces a change of a sign-in method or payment guard. `token` is that of the link that undoes it. */
export function guardedChangeEmail({ email, kind, detail, createdAt }: UnsentChange, token: string | null): Mail {
  const { subject, summary, isProof } = announcements[kind];
  const at = createdAt.toISOString();
  const remedy =
    token === null
      ? ['If this was not you, sign in and change it in your settings:', '', link('/settings', '/')]
      : [
          'If this was not you, open this link and press the button. It restores the state before',
          isProof ? 'and signs out all other sessions:' : 'this change:',
          '',
          link('/undo', '/', { token }),
          '',
          'The link works once and expires after 7 days.',
        ];
  const lines = [
    summary,
    ...(detail ? [detail] : []),
    `Time: ${at.slice(0, 10)} ${at.slice(11, 16)} UTC`,
    '',
    ...remedy,
  ];
  return { to: email, subject, lines };
}

function link(page: string, next: string, params?: Record<string, string>): string {
  return `${env().APP_URL}${withNext(page, next, params)}`;
}
