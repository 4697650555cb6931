import { env } from '../platform/env';

/** What somebody gets when their account is deleted: that it is, when, and what stays. */
export function accountDeletedEmail(email: string, now: Date): { to: string; subject: string; lines: string[] } {
  return {
    to: email,
    subject: 'Your Parley account is deleted',
    lines: [
      `The Parley account with this e-mail address was deleted on ${now.toISOString().slice(0, 10)} at`,
      `${now.toISOString().slice(11, 16)} UTC, for good, and all that was in it: conversations, agents, reviews,`,
      "tokens and the address itself. What proves payments stays, under nobody's name.",
      '',
      'If it was not you, somebody knew your password or was signed in as you. Nothing',
      'can be brought back; change that password wherever else you use it, and tell',
      'whoever runs this Parley:',
      '',
      env().APP_URL,
    ],
  };
}
