import { env } from '../platform/env';
import type { Mail } from './mail';
import { withNext } from './schema';

// What the person typed at sign-up is in no mail: anyone could send words of their own to anybody through us.

/** The mail that proves an address. */
export function confirmMail(email: string, token: string, next: string): Mail {
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

/** What the owner of an account gets when somebody signs up with its address. */
export function accountExistsMail(email: string, next: string): Mail {
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

function link(page: string, next: string, more?: Record<string, string>): string {
  return `${env().APP_URL}${withNext(page, next, more)}`;
}
