/**
 * The proof that a guarded change requires while its account has no passkey:
 * - `session`, `recent-sign-in`: a session or a recent sign-in of the user
 * - `password`: the password that the change itself requires or, without a password, a recent sign-in
 * - `passkey`: the change is not possible without a passkey
 */
type Fallback = 'session' | 'recent-sign-in' | 'password' | 'passkey';

interface GuardRule {
  /** The change, as the subject of a sentence. */
  what: string;
  withoutPasskey: Fallback;
}

/**
 * Every change that requires a proof. While the account has a passkey, each needs an assertion by one of its passkeys
 * for exactly this change ({@link proveChange}), and no access token can make it.
 */
export const guards = {
  'passkey.add': { what: 'Adding a passkey', withoutPasskey: 'recent-sign-in' },
  'passkey.remove': { what: 'Removing a passkey', withoutPasskey: 'recent-sign-in' },
  'password.change': { what: 'Changing the password', withoutPasskey: 'password' },
  'token.create': { what: 'Creating a token that can pay or change guards', withoutPasskey: 'recent-sign-in' },
  'device.allow': { what: 'Allowing a device to pay or change guards', withoutPasskey: 'recent-sign-in' },
  'payment.threshold': { what: 'Raising the amount that needs a passkey', withoutPasskey: 'recent-sign-in' },
  'spending.limit': { what: 'Raising a spending limit', withoutPasskey: 'recent-sign-in' },
  'spending.time-zone': { what: 'Changing the time zone of limits', withoutPasskey: 'recent-sign-in' },
  'standing.create': { what: 'Creating a standing approval', withoutPasskey: 'passkey' },
  'standing.resume': { what: 'Resuming a standing approval', withoutPasskey: 'recent-sign-in' },
  'standing.allow': { what: 'Allowing automatic payments again', withoutPasskey: 'recent-sign-in' },
  'recovery.cancel': { what: 'Canceling a recovery', withoutPasskey: 'passkey' },
  'account.export': { what: 'Exporting the account', withoutPasskey: 'session' },
  'account.delete': { what: 'Deleting the account', withoutPasskey: 'password' },
} as const satisfies Record<string, GuardRule>;

export type Guard = keyof typeof guards;
