import { ParleyError } from '../../platform/errors';

/** One answer for every way in which what an authenticator said is not what was asked. */
export function passkeyRejected(): ParleyError {
  return new ParleyError(
    'passkey_refused',
    'The passkey did not confirm this: it answers for another page, another question, or too late. Try again.',
  );
}

/** One answer for passkeys that do not exist and those of somebody else. */
export function passkeyNotFound(): ParleyError {
  return new ParleyError('not_found', 'You have no passkey with this id. Reload the list.');
}
