import { ParleyError } from '../platform/errors';

/** One answer for an unknown address, an account without a password and a wrong password. */
export function wrongCredentials(): ParleyError {
  return new ParleyError(
    'unauthenticated',
    'The e-mail address or the password is not right. Check both, or sign up for an account.',
  );
}

export function accountSuspended(): ParleyError {
  return new ParleyError('forbidden', 'This account is suspended. Write to the operator of this site.');
}

export function signUpLinkInvalid(): ParleyError {
  return new ParleyError(
    'not_found',
    'This link is unknown, expired or already used. Sign in if you confirmed your address before, or sign up again.',
  );
}

/** A link of a mail that lets its reader in. */
export function linkExpired(): ParleyError {
  return new ParleyError('not_found', 'This link is unknown, expired or already used. Ask for a new one.');
}

export function accountExists(): ParleyError {
  return new ParleyError('conflict', 'There is already an account with this e-mail address. Sign in instead.');
}

export function sessionNotFound(): ParleyError {
  return new ParleyError('not_found', 'There is no such session. It may have ended already; reload the list.');
}
