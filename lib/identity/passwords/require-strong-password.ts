import { ParleyError } from '../../platform/errors';
import { passwordFault } from '../schema';
import { isCommonPassword } from './common-password';

const commonText =
  'This is one of the first passwords that somebody would try. Choose a few words that do not belong together.';

/**
 * Rejects a new password that is too short, too long, the address itself, or common (NIST SP 800-63B §5.1.1.2).
 * @throws {ParleyError} `invalid_request` at `/password`
 */
export async function requireStrongPassword(password: string, email: string): Promise<void> {
  const message = passwordFault(password, email) ?? ((await isCommonPassword(password)) ? commonText : null);
  if (message === null) return;
  throw new ParleyError('invalid_request', `/password: ${message}`, {
    data: { faults: [{ pointer: '/password', message }] },
  });
}
