import { ParleyError } from '../platform/errors';

/** Returns the error for an unknown email address, an account without a password and a wrong password alike. */
export function wrongCredentials(): ParleyError {
  return new ParleyError('unauthenticated', 'Incorrect email or password. Check both, or sign up for an account.');
}

export function accountSuspended(): ParleyError {
  return new ParleyError('forbidden', 'This account is suspended. Contact the operator of this site.');
}

export function signUpLinkInvalid(): ParleyError {
  return new ParleyError(
    'not_found',
    'This link is no longer valid. It has expired or was already used. Sign in if you have already confirmed your email, or sign up again.',
  );
}

/** Returns the error for an invalid magic link. */
export function linkExpired(): ParleyError {
  return new ParleyError(
    'not_found',
    'This link is no longer valid. It has expired or was already used. Request a new one.',
  );
}

export function accountExists(): ParleyError {
  return new ParleyError('conflict', 'An account with this email already exists. Sign in instead.');
}

export function sessionNotFound(): ParleyError {
  return new ParleyError('not_found', 'Session not found. It may have already ended; reload the list.');
}

/** Returns the error for an invalid WebAuthn response, the same for every reason. */
export function passkeyRejected(): ParleyError {
  return new ParleyError(
    'passkey_refused',
    'The passkey could not be verified: its response is for another site or request, or came too late. Try again.',
  );
}

/** Returns the error for passkeys that do not exist and those of other users alike. */
export function passkeyNotFound(): ParleyError {
  return new ParleyError('not_found', 'Passkey not found. Reload the list.');
}

/** Returns an invalid top-level member of the request body. */
export function invalidMember(name: string, message: string): ParleyError {
  return new ParleyError('invalid_request', `/${name}: ${message}`, {
    data: { faults: [{ pointer: `/${name}`, message }] },
  });
}
