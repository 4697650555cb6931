import { env } from '../platform/env';
import type { Mail } from './mail';
import { withNext } from './schema';

// No mail contains text entered at sign-up: anyone could use us to send messages to any address.

/** Confirms an address at sign-up. */
export function confirmationEmail(email: string, token: string, next: string): Mail {
  return {
    to: email,
    subject: 'Confirm your e-mail address for Parley',
    lines: [
      'Somebody, hopefully you, asked for a Parley account with this e-mail address.',
      '',
      'Open this link and enter the password you chose:',
      '',
      link('/confirm', next, { token }),
      '',
      'It works once and for 24 hours. If it was not you, do nothing:',
      'without this link there is no account.',
    ],
  };
}

/** For the owner of an account when someone signs up with its address. */
export function accountExistsEmail(email: string, next: string): Mail {
  return {
    to: email,
    subject: 'You already have a Parley account',
    lines: [
      'Somebody, hopefully you, asked for a Parley account with this e-mail address.',
      'There is one already, so nothing was changed. Sign in here:',
      '',
      link('/sign-in', next),
      '',
      'If you never chose a password, sign in through the provider you used before.',
    ],
  };
}

/** With the link to set a new password. */
export function passwordResetEmail(email: string, token: string, next: string): Mail {
  return {
    to: email,
    subject: 'Set a new password for Parley',
    lines: [
      'Somebody, hopefully you, asked to set a new password for the Parley account',
      'with this e-mail address. Open this link to do it:',
      '',
      link('/reset', next, { token }),
      '',
      'It works once and for 20 minutes. If it was not you, do nothing:',
      'your password stays as it is.',
    ],
  };
}

/** With the link to sign in. */
export function signInLinkEmail(email: string, token: string, next: string): Mail {
  return {
    to: email,
    subject: 'Your link to sign in to Parley',
    lines: [
      'Somebody, hopefully you, asked to sign in to Parley with this e-mail address.',
      'Open this link and press the button:',
      '',
      link('/sign-in/link', next, { token }),
      '',
      'It works once and for 20 minutes. If it was not you, do nothing and give',
      'it to nobody: whoever has the link can sign in as you.',
    ],
  };
}

/** For an account that signs in with a provider which never verified the address. */
export function signInElsewhereEmail(email: string, next: string): Mail {
  return {
    to: email,
    subject: 'How you sign in to Parley',
    lines: [
      'Somebody, hopefully you, asked for a link to the Parley account with this',
      'e-mail address. No link opens it, because nobody has confirmed that the address',
      'belongs to it: sign in as you did before.',
      '',
      link('/sign-in', next),
    ],
  };
}

/** Notifies the user that the password was changed. */
export function passwordChangedEmail(how: 'changed' | 'reset'): { subject: string; lines: string[] } {
  const summary =
    how === 'reset'
      ? 'A new password was set for your Parley account, by a link from a mail.'
      : 'The password of your Parley account was changed in its settings.';
  return {
    subject: 'Your Parley password was changed',
    lines: [
      summary,
      'Every other browser has been signed out.',
      '',
      'If it was not you, set a new password at once:',
      '',
      link('/forgot', '/'),
    ],
  };
}

function link(page: string, next: string, params?: Record<string, string>): string {
  return `${env().APP_URL}${withNext(page, next, params)}`;
}
