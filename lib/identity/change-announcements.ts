interface Announcement {
  /** Subject of the email. */
  subject: string;
  /** The change in one sentence, for the email. */
  summary: string;
  /** True for a sign-in method or proof of the user. Undoing its change ends other sessions. */
  isProof: boolean;
}

/** All changes that are announced by email: of sign-in methods, of proofs of the user, and of payment guards. */
export const announcements = {
  'passkey.add': {
    subject: 'A passkey was added to your Parley account',
    summary: 'A passkey was added to your Parley account.',
    isProof: true,
  },
  'passkey.remove': {
    subject: 'A passkey was removed from your Parley account',
    summary: 'A passkey was removed from your Parley account.',
    isProof: true,
  },
  'recovery.request': {
    subject: 'A recovery of your Parley account was requested',
    summary: 'Someone who signed in to your Parley account says that all its passkeys are lost.',
    isProof: true,
  },
  'recovery.complete': {
    subject: 'The passkeys of your Parley account were removed',
    summary: 'A recovery that was requested 24 hours ago has removed all passkeys of your Parley account.',
    isProof: true,
  },
  'password.change': {
    subject: 'Your Parley password was changed',
    summary: 'The password of your Parley account was changed in your settings. All other sessions were signed out.',
    isProof: true,
  },
  'password.reset': {
    subject: 'Your Parley password was changed',
    summary:
      'The password of your Parley account was reset with a link from an email. All other sessions were signed out.',
    isProof: true,
  },
  'token.create': {
    subject: 'A token for payments was created in your Parley account',
    summary: 'An access token or device that can pay, or change payment limits, was added to your Parley account.',
    isProof: false,
  },
  'payment.threshold': {
    subject: 'Your Parley passkey limit was changed',
    summary: 'The amount above which your payments need a passkey was changed.',
    isProof: false,
  },
  'spending.limit': {
    subject: 'A Parley spending limit was changed',
    summary: 'One of your spending limits was changed.',
    isProof: false,
  },
  'spending.time-zone': {
    subject: 'The time zone of your Parley limits was changed',
    summary: 'The time zone of the days and months of your spending limits was changed.',
    isProof: false,
  },
  'standing.create': {
    subject: 'A standing approval was created in your Parley account',
    summary: 'A standing approval was created: it pays carts of one merchant without asking you.',
    isProof: false,
  },
  'standing.resume': {
    subject: 'A Parley standing approval was resumed',
    summary: 'A paused standing approval pays again without asking you.',
    isProof: false,
  },
  'standing.allow': {
    subject: 'Automatic payments are allowed again in Parley',
    summary: 'Automatic payments, which were stopped, are allowed again.',
    isProof: false,
  },
} as const satisfies Record<string, Announcement>;

export type ChangeKind = keyof typeof announcements;
