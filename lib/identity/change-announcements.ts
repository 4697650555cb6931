/**
 * All changes that are announced by email, with texts in `lib/texts/en/mail.json`: true for a sign-in method or proof
 * of the user, whose undoing ends other sessions, and false for a payment guard.
 */
const announcements = {
  'passkey.add': true,
  'passkey.remove': true,
  'recovery.request': true,
  'recovery.complete': true,
  'password.change': true,
  'password.reset': true,
  'token.create': false,
  'payment.threshold': false,
  'spending.limit': false,
  'spending.time-zone': false,
  'standing.create': false,
  'standing.resume': false,
  'standing.allow': false,
} as const satisfies Record<string, boolean>;

export type ChangeKind = keyof typeof announcements;

/** Returns true if a change concerns a sign-in method or proof of the user. */
export function isProofChange(kind: ChangeKind): boolean {
  return announcements[kind];
}
