import { ParleyError } from '../platform/errors';

/** The same error for an unknown address, an account without a password and a wrong password. */
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

/** For magic links. */
export function linkExpired(): ParleyError {
  return new ParleyError('not_found', 'This link is unknown, expired or already used. Ask for a new one.');
}

export function accountExists(): ParleyError {
  return new ParleyError('conflict', 'There is already an account with this e-mail address. Sign in instead.');
}

export function sessionNotFound(): ParleyError {
  return new ParleyError('not_found', 'There is no such session. It may have ended already; reload the list.');
}

/** The same error for every reason why a WebAuthn response is invalid. */
export function passkeyRejected(): ParleyError {
  return new ParleyError(
    'passkey_refused',
    'The passkey did not confirm this: it answers for another page, another question, or too late. Try again.',
  );
}

/** The same error for passkeys that do not exist and those of another user. */
export function passkeyNotFound(): ParleyError {
  return new ParleyError('not_found', 'You have no passkey with this id. Reload the list.');
}

/** An invalid top-level member of the request body. */
export function invalidMember(name: string, message: string): ParleyError {
  return new ParleyError('invalid_request', `/${name}: ${message}`, {
    data: { faults: [{ pointer: `/${name}`, message }] },
  });
}
